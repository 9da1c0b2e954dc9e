#include "api/relayed_format.hpp"

#include "api/wire/response_format.hpp"
#include "base/json.hpp"
#include "engine/object_walk.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <utility>

namespace parley::api {
namespace {

using boost::json::value;

// The limit for all choices together that have not ended. It is longer than the context of any
// model.
constexpr std::size_t most_text = std::size_t{4} * 1024 * 1024;
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
    std::string_view choices;
    const bool is_object = engine::walk_object(body, [&](const engine::Member& each) {
        if (each.is_named("choices")) choices = each.value;
    });
    Result<> checked;
    const bool is_list = is_object && engine::walk_array(choices, [&](std::string_view choice) {
                             if (checked) checked = check_choice(choice);
                         });
    return is_list ? checked : check_text({});
}

// Only what decides about the choice is parsed: the log probabilities of a long answer have more
// values than a parser takes.
Result<> RelayedFormat::check_choice(std::string_view text) const
{
    boost::json::object choice;
    bool is_right = true;
    const bool is_object = engine::walk_object(text, [&](const engine::Member& each) {
        for (const char* name : {"finish_reason", "message"}) {
            if (!each.is_named(name)) continue;
            auto parsed = json::parse(each.value);
            is_right = is_right && parsed;
            if (parsed) choice[name] = std::move(*parsed);
        }
    });
    if (!is_object || !is_right) return check_text({});
    const value read(std::move(choice));
    const value* message = member(&read, "message");
    if (!has_stopped(read) || is_no_text(message)) return {};
    return check_text(text_at(member(message, "content")));
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
        static_cast<void>(take_text(index));
        return {};
    }
    const std::string_view more = text_at(member(delta, "content"));
    held_ += more.size();
    if (held_ > most_text) return too_long();
    text_[index] += more;
    return is_there(reason) ? end(index) : Result<>();
}

std::string RelayedFormat::take_text(std::int64_t choice)
{
    const auto found = text_.find(choice);
    if (found == text_.end()) return {};
    std::string text = std::move(found->second);
    text_.erase(found);
    held_ -= text.size();
    return text;
}

Result<> RelayedFormat::end(std::int64_t choice)
{
    const std::string text = take_text(choice);
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
