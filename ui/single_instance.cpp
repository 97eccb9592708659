#include "ui/single_instance.h"

#include <QCryptographicHash>
#include <QLocalSocket>

#include <system_error>
#include <utility>

namespace perilune::ui {
namespace {

constexpr int kPatienceMs = 500;

/// A name for the folder that others of the same person come to, too.
QString nameOf(const std::filesystem::path &dataFolder)
{
    std::error_code failed;
    std::filesystem::path folder = std::filesystem::weakly_canonical(dataFolder, failed);
    if (failed)
        folder = dataFolder;
    const QByteArray hash =
        QCryptographicHash::hash(QByteArray::fromStdString(folder.string()), QCryptographicHash::Sha256);
    return "perilune-" + QString::fromLatin1(hash.toHex().left(24));
}

} // namespace

bool SingleInstance::raiseOther(const std::filesystem::path &dataFolder)
{
    QLocalSocket socket;
    socket.connectToServer(nameOf(dataFolder));
    if (!socket.waitForConnected(kPatienceMs))
        return false;
    // Wayland lets a window come forward only with the token of who was clicked.
    socket.write(qgetenv("XDG_ACTIVATION_TOKEN") + '\n');
    return socket.waitForBytesWritten(kPatienceMs);
}

SingleInstance::SingleInstance(const std::filesystem::path &dataFolder, std::function<void()> raise)
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    QObject::connect(&m_server, &QLocalServer::newConnection, &m_server, [this, raise = std::move(raise)] {
        while (QLocalSocket *socket = m_server.nextPendingConnection()) {
            QObject::connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
            const auto answer = [socket, raise] {
                if (!socket->canReadLine())
                    return;
                if (const QByteArray token = socket->readLine(4096).trimmed(); !token.isEmpty())
                    qputenv("XDG_ACTIVATION_TOKEN", token);
                raise();
            };
            QObject::connect(socket, &QLocalSocket::readyRead, socket, answer);
            answer(); // what came before we looked
        }
    });
    const QString name = nameOf(dataFolder);
    if (!m_server.listen(name)) {
        QLocalServer::removeServer(name); // left by a program that died: the living would have answered
        m_server.listen(name);
    }
}

} // namespace perilune::ui
