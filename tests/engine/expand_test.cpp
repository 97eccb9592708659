// Packed int4 and block FP8 expand to exactly the products that the goldens hold, bit for bit.
#include "engine/weights/expand.h"

#include <cstring>
#include <QTest>

using namespace perilune;

class ExpandTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void int4IsExact_data();
    void int4IsExact();
    void float8IsExact_data();
    void float8IsExact();

private:
    void compare(const StoredMatrix &matrix, const std::string &name)
    {
        const std::vector<float> expected = *floatsOf(*m_file->find(name + ".expected_f32"));
        QCOMPARE(expected.size(), matrix.rows * matrix.columns);
        std::vector<float> row(matrix.columns);
        for (std::uint64_t i = 0; i < matrix.rows; ++i) {
            QVERIFY(expandRow(matrix, i, row).has_value());
            QVERIFY(std::memcmp(row.data(), expected.data() + i * matrix.columns,
                                row.size() * sizeof(float)) == 0);
        }
    }

    std::shared_ptr<const SafetensorsFile> m_file;
};

void ExpandTest::initTestCase()
{
    auto opened = SafetensorsFile::open(TEST_DATA_DIR "/model/dequant.safetensors");
    QVERIFY(opened.has_value());
    m_file = *opened;
}

void ExpandTest::int4IsExact_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"int4.a", "int4.b", "int4.c"})
        QTest::newRow(name) << name;
}

void ExpandTest::int4IsExact()
{
    QFETCH(QString, name);
    const std::string stem = name.toStdString();
    const std::vector<std::int64_t> shape = *integersOf(*m_file->find(stem + ".weight_shape"));

    compare({m_file->find(stem + ".weight_packed"), m_file->find(stem + ".weight_scale"),
             std::uint64_t(shape[0]), std::uint64_t(shape[1])},
            stem);
}

void ExpandTest::float8IsExact_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"fp8.a", "fp8.b", "fp8.c", "fp8.d"})
        QTest::newRow(name) << name;
}

void ExpandTest::float8IsExact()
{
    QFETCH(QString, name);
    const std::string stem = name.toStdString();
    const StoredTensor *weight = m_file->find(stem + ".weight");

    compare({weight, m_file->find(stem + ".weight_scale_inv"), weight->shape[0], weight->shape[1]}, stem);
}

QTEST_GUILESS_MAIN(ExpandTest)
#include "expand_test.moc"
