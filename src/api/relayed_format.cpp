#include "api/relayed_format.hpp"

#include "api/wire/response_format.hpp"
#include "base/json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <utility>

namespace parley::api {
namespace {

using boost::json::value;

// Longer than the context of any model.
constexpr std::size_t longest_text = std::size_t{4} * 1024 * 1024;
constexpr std::size_t most_choices = 128;  // The maximum of `n`.

schema::SchemaRef format_of(const value& request)
{
    const auto* fields = request.if_object();
    const value* wanted = fields ? fields->if_contains("response_format") : nullptr;
    if (!wanted) return nullptr;
    Faults faults;
    const fields::Reading reading{.faults = faults, .unknown = fields::UnknownFields::ignored};
    CompletionFormat read;
    read.read(*wanted, fields::FieldPath(reading, "#"));
    return faults.empty() ? read.format : nullptr;
}

const value* member(const value* from, std::string_view name)
{
    const auto* object = from ? from->if_object() : nullptr;
    return object ? object->if_contains(name) : nullptr;
}

bool is_there(const value* found) { return found && !found->is_null(); }

std::string_view text_at(const value* found)
{
    const auto* text = found ? found->if_string() : nullptr;
    return text ? std::string_view(text->data(), text->size()) : std::string_view();
}

const boost::json::array* choices_in(const value& root)
{
    const value* found = member(&root, "choices");
    return found ? found->if_array() : nullptr;
}

// `length`, tool calls and the like are no complete answers.
bool has_stopped(const value& choice)
{
    return text_at(member(&choice, "finish_reason")) == "stop";
}

// A message, or a part of one.
bool is_no_text(const value* message)
{
    if (is_there(member(message, "refusal"))) return true;
    const value* calls = member(message, "tool_calls");
    return calls && calls->is_array() && !calls->as_array().empty();
}

std::int64_t index_of(const value& choice)
{
    const value* found = member(&choice, "index");
    return found && found->is_int64() ? found->as_int64() : 0;
}

Error too_long()
{
    return {Errc::upstream_error, "The response of the model's server is too large."};
}

}  // namespace

RelayedFormat::RelayedFormat(const value& request) : format_(format_of(request)) {}

Result<> RelayedFormat::check(std::string_view body) const
{
    if (!format_) return {};
    const auto root = json::parse(body);
    const auto* choices = root ? choices_in(*root) : nullptr;
    if (!choices) return check_text({});
    for (const value& choice : *choices) {
        const value* message = member(&choice, "message");
        if (!has_stopped(choice) || is_no_text(message)) continue;
        if (auto checked = check_text(text_at(member(message, "content"))); !checked)
            return checked;
    }
    return {};
}

Result<> RelayedFormat::check_events(std::string_view events)
{
    std::string data;
    while (format_ && !events.empty()) {
        const std::size_t end = std::min(events.find('\n'), events.size());
        std::string_view line = events.substr(0, end);
        events.remove_prefix(std::min(end + 1, events.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.starts_with("data:")) {
            line.remove_prefix(line.starts_with("data: ") ? 6 : 5);
            data.append(data.empty() ? "" : "\n").append(line);
        } else if (line.empty() && !data.empty()) {
            if (auto added = add(std::exchange(data, {})); !added) return added;
        }
    }
    return {};
}

Result<> RelayedFormat::add(std::string_view data)
{
    if (data == "[DONE]") {
        while (!text_.empty())
            if (auto ended = end(text_.begin()->first); !ended) return ended;
        return {};
    }
    const auto root = json::parse(data);
    const auto* choices = root ? choices_in(*root) : nullptr;
    if (!choices) return {};
    for (const value& choice : *choices)
        if (auto added = add(choice); !added) return added;
    return {};
}

Result<> RelayedFormat::add(const value& choice)
{
    const std::int64_t index = index_of(choice);
    const value* delta = member(&choice, "delta");
    const value* reason = member(&choice, "finish_reason");
    if (is_no_text(delta) || (is_there(reason) && !has_stopped(choice))) others_.insert(index);
    if (others_.size() + text_.size() > most_choices) return too_long();
    if (others_.contains(index)) {
        text_.erase(index);
        return {};
    }
    std::string& text = text_[index];
    text += text_at(member(delta, "content"));
    if (text.size() > longest_text) return too_long();
    return is_there(reason) ? end(index) : Result<>();
}

Result<> RelayedFormat::end(std::int64_t choice)
{
    const std::string text = std::move(text_[choice]);
    text_.erase(choice);
    others_.insert(choice);  // Chunks after its end do not count.
    return check_text(text);
}

Result<> RelayedFormat::check_text(std::string_view text) const
{
    const auto valid = schema::valid(*format_, text);
    if (valid) return {};
    return Error{Errc::invalid_output, valid.error().message + '.'};
}

}  // namespace parley::api
