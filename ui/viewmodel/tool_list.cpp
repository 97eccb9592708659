#include "ui/viewmodel/tool_list.h"

#include <algorithm>

namespace perilune::ui {

ToolList::ToolList(const ToolRegistry &registry, ToolChoices &choices, QObject *parent)
    : QAbstractListModel(parent),
      m_registry(registry),
      m_choices(choices)
{
}

int ToolList::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_registry.entries().size());
}

QVariant ToolList::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ToolRegistry::Entry &entry = m_registry.entries()[static_cast<std::size_t>(index.row())];
    switch (role) {
    case NameRole: return QString::fromStdString(entry.name);
    case AboutRole: return QString::fromStdString(entry.description);
    case OnRole: return std::ranges::count(on(), entry.name) > 0;
    default: return {};
    }
}

QHash<int, QByteArray> ToolList::roleNames() const
{
    return {
        {NameRole,  "name" },
        {AboutRole, "about"},
        {OnRole,    "on"   }
    };
}

QString ToolList::label() const
{
    const std::size_t count = on().size();
    return count == 0 ? tr("Tools") : tr("Tools: %1").arg(count);
}

std::vector<std::string> ToolList::on() const
{
    return m_choices.toolsOn(m_conversation, m_registry);
}

void ToolList::show(ConversationId conversation)
{
    m_conversation = conversation;
    tell();
}

void ToolList::setOn(bool on)
{
    m_choices.setOn(m_conversation, on);
    tell();
}

void ToolList::toggle(int row)
{
    const QModelIndex at = index(row);
    if (!at.isValid())
        return;
    const std::string &name = m_registry.entries()[static_cast<std::size_t>(row)].name;
    m_choices.setTool(m_conversation, name, !at.data(OnRole).toBool(), m_registry);
    tell();
}

void ToolList::tell()
{
    if (rowCount() > 0)
        emit dataChanged(index(0), index(rowCount() - 1), {OnRole});
    emit changed();
}

} // namespace perilune::ui
