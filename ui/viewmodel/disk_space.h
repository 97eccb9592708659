#pragma once

#include "app/turn/store_thread.h"

#include <QObject>
#include <QQmlEngine>
#include <QString>
#include <QTimer>

namespace perilune::ui {

/// Whether the disk that holds the conversations is full. Who could not write says so by ranOut(); from then
/// on the store is asked now and then, and spaceAgain() says when it is time to write what waits.
class DiskSpace : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from WindowModel.disk")
    Q_PROPERTY(bool full READ full NOTIFY changed)
    Q_PROPERTY(QString folder READ folder CONSTANT)

public:
    DiskSpace(StoreThread &store, QString folder, QObject *parent = nullptr);

    bool full() const { return m_full; }
    /// Where space is wanted.
    QString folder() const { return m_folder; }

    /// Something could not be written for want of space.
    void ranOut();

signals:
    void changed();
    void spaceAgain();

private:
    void look();

    StoreThread &m_store;
    QString m_folder;
    QTimer m_timer;
    bool m_full = false;
};

} // namespace perilune::ui
