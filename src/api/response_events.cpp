#include "api/response_events.hpp"

#include "api/wire/response_event.hpp"
#include "fields/write.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace parley::api {
namespace {

// The first events of a response, by the events of its run.
constexpr std::int64_t first_of_message = 2;
constexpr std::int64_t first_delta = 4;

http::Frame frame_with(std::string text)
{
    return text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text));
}

std::string type_of_end(ResponseStatus status)
{
    switch (status) {
        case ResponseStatus::completed:
            return "response.completed";
        case ResponseStatus::incomplete:
        case ResponseStatus::cancelled:  // OpenAI has no event of its own for these.
            return "response.incomplete";
        default:
            return "response.failed";
    }
}

}  // namespace

ResponseEvents::ResponseEvents(ResponseView created, const AnswerForm& form, std::int64_t seen)
    : created_(std::move(created)), maker_(form), seen_(seen)
{
    if (form.may_call()) reader_.emplace(form.tools, form.tool_use);
}

std::int64_t ResponseEvents::run_events_seen(std::int64_t last) const
{
    if (reader_) return 0;
    const std::int64_t next = seen_ + 1;
    std::int64_t needed = next - 2;
    if (next < first_of_message)
        needed = 1;
    else if (next <= first_delta)
        needed = 2;
    return (last > 0 ? std::min(needed, last) : needed) - 1;
}

void ResponseEvents::skip_run_events(std::int64_t count)
{
    has_begun_ = count > 0;
    if (count > 1) {
        items_ = 1;
        item_ = maker_.message();
    }
    if (count == 0)
        next_ = 0;
    else
        next_ = count == 1 ? first_of_message : count + 3;
}

bool ResponseEvents::reader_has_text() const
{
    return reader_ ? seen_ >= first_of_message : items_ > 0;
}

template <class Event>
void ResponseEvents::append(std::string& out, Event event)
{
    event.sequence_number = next_++;
    if (event.sequence_number <= seen_) return;
    out.append("event: ").append(event.type).append("\ndata: ");
    fields::append(out, event);
    out += "\n\n";
}

void ResponseEvents::begin(std::string& out)
{
    if (std::exchange(has_begun_, true)) return;
    for (const char* type : {"response.created", "response.in_progress"})
        append(out, ResponseEvent{.type = type, .response = created_});
}

void ResponseEvents::begin_item(std::string& out, ResponseItem item)
{
    begin(out);
    close_item(out);
    ++items_;
    item_ = std::move(item);
    ResponseItem shown = item_;
    shown.status = ItemStatus::in_progress;
    append(out, ResponseItemEvent{.type = "response.output_item.added",
                                  .output_index = index(),
                                  .item = std::move(shown)});
    if (item_.is_call()) return;
    append(out, ResponsePartEvent{.type = "response.content_part.added",
                                  .item_id = item_.id,
                                  .output_index = index(),
                                  .part = ResponsePart::output("")});
    if (reader_) item_.content->push_back(ResponsePart::output(""));
}

// Another item follows.
void ResponseEvents::close_item(std::string& out)
{
    if (items_ == 0) return;
    for (const std::string& event : closing(item_)) out += event;
}

std::vector<std::string> ResponseEvents::closing(const ResponseItem& item)
{
    std::vector<std::string> events;
    const auto add = [&](auto event) {
        event.output_index = index();
        append(events.emplace_back(), std::move(event));
    };
    if (item.is_call()) {
        add(ResponseArgumentsEvent{.type = "response.function_call_arguments.done",
                                   .item_id = item.id,
                                   .name = *item.name,
                                   .arguments = *item.arguments});
    } else {
        add(ResponseTextEvent{
            .type = "response.output_text.done", .item_id = item.id, .text = item.text()});
        add(ResponsePartEvent{.type = "response.content_part.done",
                              .item_id = item.id,
                              .part = item.content->front()});
    }
    add(ResponseItemEvent{.type = "response.output_item.done", .item = item});
    return events;
}

void ResponseEvents::add_text(std::string& out, const std::string& text)
{
    if (items_ == 0 || item_.is_call()) begin_item(out, maker_.message());
    append(out, ResponseDeltaEvent{.type = "response.output_text.delta",
                                   .item_id = item_.id,
                                   .output_index = index(),
                                   .delta = text});
    if (reader_) *item_.content->front().text += text;
}

void ResponseEvents::add_arguments(std::string& out, const std::string& text)
{
    append(out, ResponseArgumentsDeltaEvent{.type = "response.function_call_arguments.delta",
                                            .item_id = item_.id,
                                            .output_index = index(),
                                            .delta = text});
    *item_.arguments += text;
}

void ResponseEvents::add(std::string& out, const std::vector<engine::AnswerPart>& parts)
{
    using Kind = engine::AnswerPart::Kind;
    for (const engine::AnswerPart& part : parts) {
        if (part.kind == Kind::call)
            begin_item(out, maker_.call(part));
        else if (part.kind == Kind::arguments)
            add_arguments(out, part.text);
        else
            add_text(out, part.text);
    }
}

void ResponseEvents::add_delta(std::string& out, const std::string& text)
{
    if (reader_)
        add(out, reader_->add(text));
    else
        add_text(out, text);
}

http::Frame ResponseEvents::begin()
{
    std::string out;
    begin(out);
    return frame_with(std::move(out));
}

http::Frame ResponseEvents::pieces(std::span<const std::string> deltas)
{
    std::string out;
    for (const std::string& delta : deltas) add_delta(out, delta);
    return frame_with(std::move(out));
}

http::Frame ResponseEvents::whole_text(const std::string& text, std::int64_t number)
{
    std::string out;
    begin(out);
    if (!reader_) {
        begin_item(out, maker_.message());
        next_ = number + 2;
    }
    add_delta(out, text);
    return frame_with(std::move(out));
}

std::vector<http::Frame> ResponseEvents::end(const ResponseView& ended)
{
    std::vector<http::Frame> frames;
    const auto send = [&](std::string text) {
        if (auto frame = frame_with(std::move(text))) frames.push_back(std::move(frame));
    };
    std::string out;
    begin(out);
    if (reader_) add(out, reader_->end());
    if (items_ == 0 && !ended.output.empty()) begin_item(out, maker_.message());
    send(std::move(out));
    if (items_ > 0 && !ended.output.empty())
        for (std::string& event : closing(ended.output.back())) send(std::move(event));
    std::string last;
    append(last, ResponseEvent{.type = type_of_end(ended.status), .response = ended});
    send(std::move(last));
    return frames;
}

}  // namespace parley::api
