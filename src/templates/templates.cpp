#include "templates/templates.hpp"

#include "base/utf8.hpp"
#include "fields/add_fault.hpp"
#include "templates/value_text.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace parley::templates {
namespace {

constexpr std::size_t longest_name = 32;
constexpr std::string_view opening = "{{";
constexpr std::string_view closing = "}}";

struct RunPlace {
    std::string_view name;
    std::string RunValues::* value;
};
constexpr std::array<RunPlace, 6> run_places{{
    {"run.scheduled_for", &RunValues::scheduled_for},
    {"run.local_date", &RunValues::local_date},
    {"run.local_time", &RunValues::local_time},
    {"run.key", &RunValues::key},
    {"run.trigger", &RunValues::trigger},
    {"automation.name", &RunValues::automation_name},
}};

bool is_name(std::string_view name)
{
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto is_rest = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; };
    return !name.empty() && name.size() <= longest_name && is_letter(name.front()) &&
           std::ranges::all_of(name, is_rest);
}

std::string pointer_of(const Variable& variable)
{
    return variable.pointer.value_or("/" + variable.name);
}

void check_variables(const std::vector<Variable>& variables, Faults& faults)
{
    if (variables.size() > most_variables)
        faults.push_back({"/variables", "too_long",
                          "must have at most " + std::to_string(most_variables) + " items"});
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Variable& each = variables[i];
        const std::string where = "/variables/" + std::to_string(i);
        if (!is_name(each.name))
            faults.push_back(
                {where + "/name", "invalid_format",
                 "must be a lower-case letter and up to 31 lower-case letters, digits and _"});
        else if (!names.insert(each.name).second)
            faults.push_back(
                {where + "/name", "duplicate", "is already the name of another variable"});
        if (each.pointer && !is_pointer(*each.pointer))
            faults.push_back({where + "/pointer", "invalid_format",
                              "must be a JSON pointer (RFC 6901), such as /issue/body"});
        if (each.max_bytes && (*each.max_bytes < 1 || *each.max_bytes > longest_value))
            faults.push_back({where + "/max_bytes", "out_of_range",
                              "must be from 1 to " + std::to_string(longest_value)});
        else if (each.max_bytes && !each.cut &&
                 each.default_value.value_or("").size() > *each.max_bytes)
            faults.push_back({where + "/default", "too_long", "has more bytes than max_bytes"});
    }
}

// The text of a variable in this payload, which has no value for it if that is null.
std::string value_of(const Variable& variable, const boost::json::value& payload, Faults& faults)
{
    const std::string pointer = pointer_of(variable);
    boost::system::error_code error;
    const boost::json::value* value = payload.find_pointer(pointer, error);
    if (value && value->is_null()) value = nullptr;
    if (!value && !variable.default_value && variable.required)
        faults.push_back({pointer, "required", "is required by the variable " + variable.name});
    std::string text = value ? value_text(*value) : variable.default_value.value_or("");
    if (!variable.max_bytes || text.size() <= *variable.max_bytes) return text;
    if (variable.cut) return std::string(utf8::cut(text, *variable.max_bytes));
    faults.push_back({pointer, "too_long",
                      "the variable " + variable.name + " takes at most " +
                          std::to_string(*variable.max_bytes) + " bytes"});
    return {};
}

}  // namespace

// Every ~ is the beginning of ~0 or ~1, and every part begins with a slash.
bool is_pointer(std::string_view text)
{
    if (text.empty()) return true;
    if (text.front() != '/' || text.size() > longest_pointer) return false;
    for (std::size_t at = text.find('~'); at != text.npos; at = text.find('~', at + 1))
        if (at + 1 == text.size() || (text[at + 1] != '0' && text[at + 1] != '1')) return false;
    return true;
}

std::string pointer_part(std::string_view name)
{
    std::string part = "/";
    for (const char c : name) {
        if (c == '~')
            part += "~0";
        else if (c == '/')
            part += "~1";
        else
            part += c;
    }
    return part;
}

Result<Template> Template::parse(std::string_view message, std::vector<Variable> variables)
{
    Faults faults;
    check_variables(variables, faults);
    Template made;
    made.variables_ = std::move(variables);
    made.parse_message(message, faults);
    if (!faults.empty()) return validation_failed(std::move(faults));
    return made;
}

void Template::parse_message(std::string_view message, Faults& faults)
{
    while (true) {
        const std::size_t at = message.find(opening);
        if (at == message.npos) return add_text(message);
        const std::string_view after = message.substr(at + opening.size());
        if (at > 0 && message[at - 1] == '\\') {
            add_text(message.substr(0, at - 1));
            add_text(opening);
            message = after;
            continue;
        }
        add_text(message.substr(0, at));
        const std::size_t end = after.find(closing);
        if (end == after.npos) return add_fault(after, "", "has no closing }}", faults);
        add_place(after.substr(0, end), faults);
        message = after.substr(end + closing.size());
    }
}

void Template::add_text(std::string_view text)
{
    if (text.empty()) return;
    if (pieces_.empty() || pieces_.back().kind != Piece::Kind::text)
        pieces_.push_back({Piece::Kind::text, {}});
    pieces_.back().text += text;
}

void Template::add_fault(std::string_view name, std::string_view end, const char* what,
                         Faults& faults)
{
    const std::string_view shown = utf8::cut(name, longest_name);
    std::string place = "{{" + std::string(shown) + (shown.size() < name.size() ? "..." : "");
    place += end;
    fields::add_fault(faults, {"/message", "unknown_variable",
                               "\"" + place + "\" " + what + "; write \\{{ for literal braces"});
}

void Template::add_place(std::string_view name, Faults& faults)
{
    const auto own = std::ranges::find(variables_, name, &Variable::name);
    const auto run = std::ranges::find(run_places, name, &RunPlace::name);
    if (own != variables_.end())
        pieces_.push_back(
            {Piece::Kind::variable, {}, static_cast<std::size_t>(own - variables_.begin())});
    else if (run != run_places.end())
        pieces_.push_back(
            {Piece::Kind::run, {}, static_cast<std::size_t>(run - run_places.begin())});
    else
        add_fault(name, closing, "is not a variable", faults);
}

Result<FilledTemplate> Template::fill(const boost::json::value& payload, const RunValues& run,
                                      std::size_t max_bytes) const
{
    Faults faults;
    FilledTemplate filled;
    for (const Variable& variable : variables_)
        filled.values.push_back({variable.name, value_of(variable, payload, faults)});
    if (!faults.empty()) return validation_failed(std::move(faults));

    // Before it is put together: one long value in a thousand places would fill the memory.
    const Texts texts = texts_of(filled.values);
    std::size_t size = 0;
    for (const Piece& piece : pieces_) size += text_of(piece, texts, run).size();
    if (size > max_bytes)
        return validation_failed(
            {{"", "too_long",
              "the filled message would have " + std::to_string(size) + " bytes; at most " +
                  std::to_string(max_bytes) + " are allowed"}});
    filled.message.reserve(size);
    for (const Piece& piece : pieces_) filled.message += text_of(piece, texts, run);
    return filled;
}

bool Template::reads(std::string_view member) const
{
    const std::string pointer = pointer_part(member);
    return std::ranges::any_of(variables_, [&pointer](const Variable& each) {
        const std::string path = pointer_of(each);
        return path.empty() || path == pointer || path.starts_with(pointer + "/");
    });
}

std::vector<std::string> Template::unused() const
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < variables_.size(); ++i)
        if (std::ranges::none_of(pieces_, [i](const Piece& piece) {
                return piece.kind == Piece::Kind::variable && piece.index == i;
            }))
            names.push_back(variables_[i].name);
    return names;
}

std::string Template::message_of(const std::vector<FilledValue>& values, const RunValues& run) const
{
    const Texts texts = texts_of(values);
    std::string message;
    for (const Piece& piece : pieces_) message += text_of(piece, texts, run);
    return message;
}

// A message may have tens of thousands of places: none of them looks for its variable by name.
Template::Texts Template::texts_of(const std::vector<FilledValue>& values) const
{
    Texts texts;
    texts.reserve(variables_.size());
    for (const Variable& variable : variables_) {
        const auto found = std::ranges::find(values, variable.name, &FilledValue::name);
        texts.push_back(found == values.end() ? std::string_view() : found->text);
    }
    return texts;
}

std::string_view Template::text_of(const Piece& piece, const Texts& texts, const RunValues& run)
{
    switch (piece.kind) {
        case Piece::Kind::text:
            return piece.text;
        case Piece::Kind::variable:
            return texts[piece.index];
        case Piece::Kind::run:
            break;
    }
    return run.*run_places[piece.index].value;
}

}  // namespace parley::templates
