#include "engine/text/tool_declaration.h"

#include "engine/text/json_value.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace perilune {

namespace {

using Kind = JsonValue::Kind;
using Text = std::optional<std::string>; ///< none: the schema can't be expressed

constexpr std::string_view kIndent = "  ";

/// A description as comment lines, each with its line feed. An empty line stays empty.
std::string commentLines(std::string_view description, const std::string &indent)
{
    std::string out;
    for (;;) {
        const std::size_t end = std::min(description.find('\n'), description.size());
        if (end > 0)
            out.append(indent).append("// ").append(description.substr(0, end));
        out += '\n';
        if (end == description.size())
            return out;
        description.remove_prefix(end + 1);
    }
}

/// The constraints that a type's comment tells, in the order they are printed.
std::vector<std::string_view> constraintKeys(const JsonValue &schema)
{
    const JsonValue *type = schema.find("type");
    if (!type || !type->is(Kind::String) || schema.find("$ref") || schema.find("anyOf") ||
        schema.find("enum"))
        return {};
    if (type->text == "string")
        return {"maxLength", "minLength", "pattern"};
    if (type->text == "number" || type->text == "integer")
        return {"maximum", "minimum"};
    if (type->text == "array")
        return {"maxItems", "minItems"};
    return {};
}

/// Description and constraints of a schema as comment lines; none where the description is no text.
Text comments(const JsonValue &schema, const std::string &indent)
{
    std::string out;
    if (const JsonValue *description = schema.find("description"); description && description->truthy()) {
        if (!description->is(Kind::String))
            return std::nullopt;
        out = commentLines(description->text, indent);
    }
    std::string constraints;
    for (const std::string_view key : constraintKeys(schema)) {
        if (const JsonValue *value = schema.find(key))
            constraints.append(constraints.empty() ? "" : ", ")
                .append(key)
                .append(": ")
                .append(pythonStr(*value));
    }
    if (!constraints.empty())
        out += indent + "// " + constraints + "\n";
    return out;
}

Text joined(const std::vector<Text> &members)
{
    std::string out;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const Text &member = members[i];
        if (!member)
            return std::nullopt;
        out += (i > 0 ? " | " : "") + *member;
    }
    return out;
}

/// Whether a value may stand in an enum of this type; unknown types allow all.
bool fitsType(const JsonValue &value, std::string_view type)
{
    if (value.is(Kind::Null))
        return true;
    if (type == "string")
        return value.is(Kind::String);
    if (type == "number")
        return value.isNumber() || value.is(Kind::Boolean);
    if (type == "integer")
        return value.is(Kind::Integer) || value.is(Kind::Boolean);
    return type != "boolean" || value.is(Kind::Boolean);
}

/// The one type that the values of an enum are checked against; none where the list of types allows no check.
const JsonValue *checkedType(const JsonValue &type)
{
    if (!type.is(Kind::Array))
        return &type;
    const auto isNull = [](const JsonValue &name) { return name.is(Kind::String) && name.text == "null"; };
    if (type.items.size() == 1)
        return type.items.data();
    if (type.items.size() != 2 || std::ranges::none_of(type.items, isNull))
        return nullptr;
    return isNull(type.items[0]) ? &type.items[1] : type.items.data();
}

Text enumType(const JsonValue &schema, const JsonValue &values)
{
    if (!values.is(Kind::Array))
        return std::nullopt;
    const JsonValue *type = schema.find("type");
    if (type) {
        type = checkedType(*type);
        if (!type)
            return std::nullopt;
    }
    std::vector<Text> members;
    for (const JsonValue &value : values.items) {
        if (type && type->is(Kind::String) && !fitsType(value, type->text))
            return std::nullopt;
        members.push_back(value.is(Kind::String) ? "\"" + value.text + "\"" : pythonStr(value));
    }
    return joined(members);
}

Text unionType(const JsonValue &types)
{
    static constexpr std::pair<std::string_view, std::string_view> names[] = {
        {"string",  "string"    },
        {"number",  "number"    },
        {"integer", "number"    },
        {"boolean", "boolean"   },
        {"null",    "null"      },
        {"object",  "{}"        },
        {"array",   "Array<any>"}
    };
    std::vector<Text> members;
    for (const JsonValue &type : types.items) {
        const auto *name =
            std::ranges::find(names, type.text, &std::pair<std::string_view, std::string_view>::first);
        if (!type.is(Kind::String) || name == std::end(names))
            return std::nullopt;
        members.emplace_back(name->second);
    }
    return joined(members);
}

/// Writes the TypeScript of one function. Its schemas have been sorted by key.
class FunctionWriter {
public:
    Text write(const JsonValue &function)
    {
        static const JsonValue none = JsonValue::object();
        const JsonValue *given = function.find("parameters");
        const JsonValue &parameters = given && given->truthy() ? *given : none;
        const Text type = objectType(parameters, "");
        if (!type)
            return std::nullopt;
        const bool refersToItself = m_selfReference;
        std::string out;
        if (refersToItself) {
            const Text fields = rootFields(parameters);
            if (!fields)
                return std::nullopt;
            out += "interface parameters {" + *fields + "}\n";
        }
        const Text interfaces = definitions();
        const Text comment = descriptionOf(function);
        if (!interfaces || !comment)
            return std::nullopt;
        const JsonValue *name = function.find("name");
        return out + *interfaces + *comment + "type " + (name ? pythonStr(*name) : "function") +
               " = (_: " + (refersToItself ? "parameters" : *type) + ") => any;";
    }

private:
    static Text descriptionOf(const JsonValue &value)
    {
        const JsonValue *description = value.find("description");
        if (!description || !description->truthy())
            return "";
        if (!description->is(Kind::String))
            return std::nullopt;
        return commentLines(description->text, "");
    }

    // NOLINTNEXTLINE(misc-no-recursion): schemas nest; the parser bounds how deep.
    Text typeOf(const JsonValue &schema, const std::string &indent)
    {
        if (schema.is(Kind::Boolean))
            return schema.boolean ? "any" : "null";
        if (!schema.is(Kind::Object))
            return std::nullopt;
        if (const JsonValue *reference = schema.find("$ref"))
            return referenceType(*reference);
        if (const JsonValue *choices = schema.find("anyOf"))
            return choiceType(*choices, indent);
        if (const JsonValue *values = schema.find("enum"))
            return enumType(schema, *values);
        const JsonValue *type = schema.find("type");
        if (!type)
            return schema.members.empty() ? Text("any") : std::nullopt;
        if (type->is(Kind::Array))
            return unionType(*type);
        if (!type->is(Kind::String))
            return std::nullopt;
        if (type->text == "object")
            return objectType(schema, indent);
        if (type->text == "array")
            return arrayType(schema, indent);
        return type->text == "integer" ? "number" : type->text;
    }

    Text referenceType(const JsonValue &reference)
    {
        static constexpr std::string_view prefix = "#/$defs/";
        if (!reference.is(Kind::String))
            return std::nullopt;
        if (reference.text == "#") {
            m_selfReference = true;
            return "parameters";
        }
        if (!reference.text.starts_with(prefix))
            return std::nullopt;
        std::string name = reference.text.substr(reference.text.rfind('/') + 1);
        const auto found = std::ranges::find(m_definitions, name, &Definition::first);
        if (found == m_definitions.end() || !found->second->is(Kind::Object))
            return std::nullopt;
        return name;
    }

    Text choiceType(const JsonValue &choices, const std::string &indent)
    {
        if (!choices.is(Kind::Array))
            return std::nullopt;
        std::vector<Text> members;
        members.reserve(choices.items.size());
        for (const JsonValue &choice : choices.items)
            members.push_back(typeOf(choice, indent));
        return joined(members);
    }

    Text arrayType(const JsonValue &schema, const std::string &indent)
    {
        const JsonValue *item = schema.find("items");
        if (!item || !item->truthy())
            return "Array<any>";
        const std::string inner = indent + std::string(kIndent);
        const Text comment = comments(*item, inner);
        if (!comment)
            return std::nullopt;
        const Text type = typeOf(*item, comment->empty() ? indent : inner);
        if (!type)
            return std::nullopt;
        if (comment->empty())
            return "Array<" + *type + ">";
        return "Array<\n" + *comment + inner + *type + "\n" + indent + ">";
    }

    bool define(const JsonValue &schema)
    {
        const JsonValue *definitions = schema.find("$defs");
        if (!definitions || !definitions->truthy())
            return true;
        for (const auto &[name, definition] : definitions->members) {
            const auto known = std::ranges::find(m_definitions, name, &Definition::first);
            if (known == m_definitions.end())
                m_definitions.emplace_back(name, &definition);
            else
                known->second = &definition;
        }
        return definitions->is(Kind::Object);
    }

    Text objectType(const JsonValue &schema, const std::string &indent)
    {
        if (!schema.is(Kind::Object) || !define(schema))
            return std::nullopt;
        const std::string inner = indent + std::string(kIndent);
        Text others; // what additionalProperties adds
        if (const JsonValue *additional = schema.find("additionalProperties");
            additional && !additional->is(Kind::Null)) {
            if (additional->is(Kind::Boolean))
                others = additional->boolean ? "any" : "never";
            else if (additional->is(Kind::Object))
                others = typeOf(*additional, inner);
            if (!others)
                return std::nullopt;
            others = inner + "[k: string]: " + *others;
        }
        std::optional<std::vector<std::string>> fields = fieldsOf(schema, inner, true);
        if (!fields)
            return std::nullopt;
        if (others)
            fields->push_back(*others);
        const std::string body = joinedFields(*fields);
        return body.empty() ? "{}" : "{" + body + indent + "}";
    }

    Text rootFields(const JsonValue &parameters)
    {
        const std::optional<std::vector<std::string>> fields =
            fieldsOf(parameters, std::string(kIndent), false);
        return fields ? Text(joinedFields(*fields)) : std::nullopt;
    }

    static std::string joinedFields(const std::vector<std::string> &fields)
    {
        std::string out;
        for (std::size_t i = 0; i < fields.size(); ++i)
            out += (i > 0 ? ",\n" : "\n") + fields[i];
        return fields.empty() ? "" : out + "\n";
    }

    /// Names listed under "required"; none where that is no list.
    static std::optional<std::set<std::string>> requiredOf(const JsonValue &schema)
    {
        std::set<std::string> names;
        const JsonValue *required = schema.find("required");
        if (!required)
            return names;
        if (!required->is(Kind::Array))
            return std::nullopt;
        for (const JsonValue &name : required->items) {
            if (name.is(Kind::Array) || name.is(Kind::Object))
                return std::nullopt;
            if (name.is(Kind::String))
                names.insert(name.text);
        }
        return names;
    }

    std::optional<std::vector<std::string>> fieldsOf(const JsonValue &schema, const std::string &indent,
                                                     bool requiredFirst)
    {
        std::vector<std::string> fields, optionalFields;
        const JsonValue *properties = schema.find("properties");
        if (!properties)
            return fields;
        const std::optional<std::set<std::string>> required = requiredOf(schema);
        if (!required || !properties->is(Kind::Object))
            return std::nullopt;
        for (const auto &[name, property] : properties->members) {
            const bool isOptional = !required->contains(name);
            const Text one = field(name + (isOptional ? "?" : ""), property, indent);
            if (!one)
                return std::nullopt;
            (isOptional && requiredFirst ? optionalFields : fields).push_back(*one);
        }
        fields.insert(fields.end(), optionalFields.begin(), optionalFields.end());
        return fields;
    }

    Text field(const std::string &name, const JsonValue &schema, const std::string &indent)
    {
        const Text comment = comments(schema, indent);
        const Text type = typeOf(schema, indent);
        if (!comment || !type)
            return std::nullopt;
        std::string fallback;
        if (const JsonValue *value = schema.find("default"); value && !value->is(Kind::Null)) {
            const bool plain = value->isNumber() || value->is(Kind::Boolean);
            fallback = indent + "// Default: " + (plain ? pythonRepr(*value) : toJson(*value)) + "\n";
        }
        return *comment + fallback + indent + name + ": " + *type;
    }

    Text definitions()
    {
        std::string out;
        const std::vector<Definition> registered =
            m_definitions; // printing may register more; those stay out
        for (const auto &[name, schema] : registered) {
            if (!schema->is(Kind::Object))
                return std::nullopt;
            const Text comment = descriptionOf(*schema);
            const Text type = typeOf(*schema, "");
            if (!comment || !type)
                return std::nullopt;
            out += *comment + "interface " + name + " " + *type + "\n";
        }
        return out;
    }

    using Definition = std::pair<std::string, const JsonValue *>;
    std::vector<Definition> m_definitions; // in the order they were met
    bool m_selfReference = false;
};

Text typeScript(const JsonValue &tools)
{
    std::string functions;
    for (const JsonValue &tool : tools.items) {
        if (!tool.is(Kind::Object))
            return std::nullopt;
        const JsonValue *type = tool.find("type");
        const JsonValue *function = tool.find("function");
        if (!type || !type->is(Kind::String) || type->text != "function" || !function || !function->truthy())
            continue;
        const Text written = function->is(Kind::Object) ? FunctionWriter().write(*function) : std::nullopt;
        if (!written)
            return std::nullopt;
        functions += *written + "\n";
    }
    return functions.empty() ? "" : "# Tools\n\n## functions\nnamespace functions {\n" + functions + "}\n";
}

Result<JsonValue> sortedTools(std::string_view toolsJson)
{
    Result<JsonValue> tools = parseJson(toolsJson);
    if (!tools)
        return std::move(tools).error().during("reading the tools");
    if (tools->is(Kind::Null))
        return JsonValue::array();
    if (!tools->is(Kind::Array))
        return Error{ErrorCode::InvalidInput, "reading the tools: they are not a list"};
    sortKeys(*tools);
    return tools;
}

} // namespace

Result<ToolDeclaration> declareTools(std::string_view toolsJson)
{
    const Result<JsonValue> tools = sortedTools(toolsJson);
    if (!tools)
        return tools.error();
    if (const Text text = typeScript(*tools))
        return ToolDeclaration{*text, false};
    return ToolDeclaration{toJson(*tools, kCompact), true};
}

Result<std::string> compactTools(std::string_view toolsJson)
{
    const Result<JsonValue> tools = sortedTools(toolsJson);
    if (!tools)
        return tools.error();
    return tools->items.empty() ? std::string() : toJson(*tools, kCompact);
}

} // namespace perilune
