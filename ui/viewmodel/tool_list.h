#pragma once

#include "app/store/stored_types.h"
#include "app/tools/tool_choices.h"

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include <string>
#include <vector>

namespace perilune::ui {

/// The tools of the program and which of them are on in the conversation in view: a switch for each.
class ToolList : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from Chat.toolList")
    Q_PROPERTY(QString label READ label NOTIFY changed)

public:
    enum Role { NameRole = Qt::UserRole, AboutRole, OnRole };

    /// Both outlive the list.
    ToolList(const ToolRegistry &registry, ToolChoices &choices, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// What the button says that opens the list.
    QString label() const;
    /// Names of the tools that are on, in the registry's order.
    std::vector<std::string> on() const;

    /// Shows the switches of a conversation; 0: of the new chat.
    void show(ConversationId conversation);
    /// Switches the usual tools on, or all of them off.
    void setOn(bool on);
    /// Switches the tool of a row.
    Q_INVOKABLE void toggle(int row);

signals:
    void changed();

private:
    void tell();

    const ToolRegistry &m_registry;
    ToolChoices &m_choices;
    ConversationId m_conversation = 0;
};

} // namespace perilune::ui
