#include "app/store/schema.h"
#include "app/store/statement.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace perilune;

class SchemaTest : public QObject {
    Q_OBJECT

private slots:
    void everyVersionReachesCurrent_data();
    void everyVersionReachesCurrent();
    void refusesNewerDatabase();
    void failedStepChangesNothing();
    void oldDatabaseIsCopiedFirst();
    void oldMediaAreSeenWhole_data();
    void oldMediaAreSeenWhole();
    void twoProgramsMigrateOnce();
    void tablesAreStrict();
    void hotQueriesUseIndexes_data();
    void hotQueriesUseIndexes();
};

void SchemaTest::everyVersionReachesCurrent_data()
{
    QTest::addColumn<int>("from");
    for (int version = 0; version <= currentSchemaVersion(); ++version)
        QTest::addRow("from %d", version) << version;
}

void SchemaTest::everyVersionReachesCurrent()
{
    QFETCH(int, from);
    Database database = *Database::open(":memory:");
    QVERIFY(migrate(database, migrations().first(std::size_t(from)), {}));

    QVERIFY(migrate(database, migrations(), {}));

    QCOMPARE(*database.integer("PRAGMA user_version"), std::int64_t(currentSchemaVersion()));
    QCOMPARE(*database.integer("SELECT count(*) FROM pragma_foreign_key_check"), std::int64_t(0));
}

void SchemaTest::refusesNewerDatabase()
{
    Database database = *Database::open(":memory:");
    QVERIFY(database.run("PRAGMA user_version = 9999"));

    const Status migrated = migrate(database, migrations(), {});

    QVERIFY(!migrated);
    QCOMPARE(migrated.error().code, ErrorCode::Unsupported);
    QCOMPARE(*database.integer("SELECT count(*) FROM sqlite_schema"), std::int64_t(0));
}

void SchemaTest::failedStepChangesNothing()
{
    Database database = *Database::open(":memory:");
    const std::string_view steps[] = {"CREATE TABLE a (x) ;",
                                      "ALTER TABLE a ADD COLUMN y; INSERT INTO a VALUES (1, 2);"
                                      " CREATE TABLE a (again);"};

    const Status migrated = migrate(database, steps, {});

    QVERIFY(!migrated);
    QCOMPARE(migrated.error().message,
             std::string("upgrading the conversations, step 2: running SQL: table a already exists"));
    QCOMPARE(*database.integer("PRAGMA user_version"), std::int64_t(1));
    QCOMPARE(*database.integer("SELECT count(*) FROM pragma_table_info('a')"), std::int64_t(1));
    QCOMPARE(*database.integer("SELECT count(*) FROM a"), std::int64_t(0));
}

void SchemaTest::oldDatabaseIsCopiedFirst()
{
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("c.db").toStdString();
    const std::filesystem::path copy = folder.filePath("c.v1.db").toStdString();
    const std::string_view steps[] = {"CREATE TABLE a (x);", "DROP TABLE a;"};
    Database database = *Database::open(path);
    QVERIFY(migrate(database, std::span(steps).first(1), copy));
    QVERIFY(!std::filesystem::exists(copy)); // there was nothing to copy
    QVERIFY(database.run("INSERT INTO a VALUES (42)"));

    QVERIFY(migrate(database, steps, copy));

    Database old = *Database::open(copy);
    QCOMPARE(*old.integer("SELECT x FROM a"), std::int64_t(42));
    QCOMPARE(*old.integer("PRAGMA user_version"), std::int64_t(1));
}

void SchemaTest::oldMediaAreSeenWhole_data()
{
    QTest::addColumn<int>("from");
    for (int version = 1; version <= currentSchemaVersion(); ++version)
        QTest::addRow("from %d", version) << version;
}

/// Pictures and drafts of before choices were kept are as if nothing was chosen, and nothing odd can be kept.
void SchemaTest::oldMediaAreSeenWhole()
{
    QFETCH(int, from);
    Database database = *Database::open(":memory:");
    QVERIFY(migrate(database, migrations().first(std::size_t(from)), {}));
    QVERIFY(database.run(
        "INSERT INTO conversation (id, created_ms, updated_ms) VALUES (1, 0, 0);"
        "INSERT INTO message (id, conversation_id, role, state, created_ms) VALUES (1, 1, 'user', "
        "'complete', 0);"
        "INSERT INTO media VALUES ('0123456789012345678901234567890123456789012345678901234567890123', 1, 0);"
        "INSERT INTO part (message_id, position, kind, media_sha256) SELECT 1, 0, 'video', sha256 FROM media;"
        "INSERT INTO draft (id, text, updated_ms) VALUES (1, '', 0);"
        "INSERT INTO draft_media (draft_id, position, kind, path, name) VALUES (1, 0, 'video', '/c', 'c')"));

    QVERIFY(migrate(database, migrations(), {}));

    for (const char *table : {"part", "draft_media"}) {
        QCOMPARE(
            *database.integer(std::string("SELECT count(*) FROM ") + table +
                              " WHERE media_detail = 'full' AND media_fit = 'thin' AND media_first_frame = 0"
                              " AND media_from_s IS NULL AND media_to_s IS NULL"
                              " AND media_max_frames IS NULL"),
            std::int64_t(1));
        QVERIFY(!database.run(std::string("UPDATE ") + table + " SET media_detail = 'huge'"));
        QVERIFY(!database.run(std::string("UPDATE ") + table + " SET media_fit = 'squeeze'"));
    }
}

void SchemaTest::twoProgramsMigrateOnce()
{
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("c.db").toStdString();
    Database first = *Database::open(path);
    Database second = *Database::open(path);

    QVERIFY(migrate(first, migrations(), {}));
    QVERIFY(migrate(second, migrations(), {}));

    QCOMPARE(*second.integer("PRAGMA user_version"), std::int64_t(currentSchemaVersion()));
}

void SchemaTest::tablesAreStrict()
{
    Database database = *Database::open(":memory:");
    QVERIFY(migrate(database, migrations(), {}));

    QCOMPARE(*database.integer("SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 0"
                               " AND name NOT LIKE 'sqlite_%'"),
             std::int64_t(0));
    QVERIFY(!database.run(
        "INSERT INTO conversation (title, created_ms, updated_ms) VALUES ('a', 'yesterday', 0)"));
}

void SchemaTest::hotQueriesUseIndexes_data()
{
    QTest::addColumn<QString>("query");

    QTest::newRow("messages of a conversation")
        << "SELECT * FROM message WHERE conversation_id = 1 ORDER BY id";
    QTest::newRow("children") << "SELECT * FROM message WHERE conversation_id = 1 AND parent_id IS 2";
    QTest::newRow("parts of a message") << "SELECT * FROM part WHERE message_id = 1 ORDER BY position";
    QTest::newRow("pieces of an answer") << "SELECT * FROM reply_piece WHERE message_id = 1 ORDER BY id";
    QTest::newRow("unfinished answers") << "SELECT id, writer FROM message WHERE state = 'streaming'";
    QTest::newRow("who uses a picture") << "SELECT 1 FROM part WHERE media_sha256 = 'x'";
}

void SchemaTest::hotQueriesUseIndexes()
{
    QFETCH(QString, query);
    Database database = *Database::open(":memory:");
    QVERIFY(migrate(database, migrations(), {}));

    Statement plan(database, "EXPLAIN QUERY PLAN " + query.toStdString());

    QString steps;
    while (plan.row())
        steps += QString::fromStdString(plan.text(3)) + "; ";
    QVERIFY2(steps.contains("INDEX"), qPrintable(steps));
}

QTEST_GUILESS_MAIN(SchemaTest)
#include "schema_test.moc"
