#include "ui/viewmodel/disk_space.h"

#include <QPointer>

#include <chrono>
#include <utility>

namespace perilune::ui {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{1500};

} // namespace

DiskSpace::DiskSpace(StoreThread &store, QString folder, QObject *parent)
    : QObject(parent),
      m_store(store),
      m_folder(std::move(folder))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kBetweenLooks);
    connect(&m_timer, &QTimer::timeout, this, &DiskSpace::look);
}

void DiskSpace::ranOut()
{
    if (std::exchange(m_full, true))
        return;
    emit changed();
    m_timer.start();
}

void DiskSpace::look()
{
    m_store.ask([](ConversationStore &store) { return store.hasRoom(); },
                [self = QPointer(this)](const Status &room) {
                    if (!self)
                        return;
                    if (!room && room.error().code == ErrorCode::NoSpace) {
                        self->m_timer.start();
                        return;
                    }
                    self->m_full = false;
                    emit self->changed();
                    emit self->spaceAgain();
                });
}

} // namespace perilune::ui
