#include "chat/views.hpp"

#include "base/rfc3339.hpp"
#include "chat/history.hpp"
#include "schema/schema.hpp"

namespace parley::chat {
namespace {

// The output of a structured answer, which was checked when it ended.
fields::Nullable<boost::json::value> output_of(const store::Message& message)
{
    if (!message.structured || message.speaker != Speaker::assistant) return {};
    if (message.stop_reason != StopReason::end_turn) return nullptr;
    auto parsed = schema::parse_answer(text_of(message.parts));
    if (!parsed) return nullptr;
    return std::move(*parsed);
}

}  // namespace

api::SessionView view(const store::Session& session)
{
    return {.id = session.id,
            .title = session.title,
            .instructions = session.instructions,
            .model = session.model,
            .archived = session.archived,
            .message_count = session.message_count,
            .active_run_ids = session.active_runs,
            .created_at = rfc3339(session.created_at),
            .updated_at = rfc3339(session.updated_at),
            .last_message_at = rfc3339(session.last_message_at),
            .automation_id = session.automation,
            .keep = session.keep,
            .metadata = session.metadata};
}

api::MessageView view(const store::Message& message)
{
    api::MessageView shown{.id = message.id,
                           .session_id = message.session,
                           .parent_id = message.parent,
                           .role = message.speaker,
                           .content = {},
                           .stop_reason = {},
                           .model = message.model,
                           .run_id = message.run,
                           .created_at = rfc3339(message.created_at),
                           .metadata = message.metadata,
                           .sibling_ids = {},
                           .output = output_of(message)};
    auto image = message.images.begin();
    for (std::size_t i = 0; i <= message.parts.size(); ++i) {
        const bool is_end = i == message.parts.size();
        for (; image != message.images.end() && (image->after <= i || is_end); ++image)
            shown.content.push_back(api::ContentPart::image(image->media_type, image->sha256));
        if (!is_end) shown.content.push_back({.text = message.parts[i]});
    }
    if (message.speaker == Speaker::assistant) {
        if (message.stop_reason)
            shown.stop_reason = *message.stop_reason;
        else
            shown.stop_reason = nullptr;
    }
    return shown;
}

api::MessageView view(const store::PlacedMessage& placed)
{
    api::MessageView shown = view(placed.message);
    shown.sibling_ids = placed.siblings;
    return shown;
}

api::RunView view(const store::RunWithMessages& whole, const RunErrors& errors)
{
    const store::Run& run = whole.run;
    api::RunView shown{.id = run.id,
                       .status = run.status,
                       .session_id = run.session,
                       .automation_run_id = {},
                       .model = run.model,
                       .queue_position = {},
                       .created_at = rfc3339(run.created_at),
                       .started_at = rfc3339(run.started_at),
                       .completed_at = rfc3339(run.completed_at),
                       .user_message = view(whole.question),
                       .message = {},
                       .output = {},
                       .usage = {},
                       .error = {},
                       .metadata = run.metadata};
    if (run.status == RunStatus::queued) shown.queue_position = whole.queue_position;
    if (!run.cause.automation_run.empty()) shown.automation_run_id = run.cause.automation_run;
    if (whole.answer) shown.message = view(*whole.answer);
    if (shown.message && shown.message->output) shown.output = *shown.message->output;
    if (run.error) shown.error = errors.shown(*run.error);
    if (run.usage)
        shown.usage = {.input_tokens = run.usage->input_tokens,
                       .output_tokens = run.usage->output_tokens,
                       .total_tokens = run.usage->input_tokens + run.usage->output_tokens,
                       .cached_input_tokens = run.usage->cached_input_tokens};
    return shown;
}

api::MessageView unfinished_answer(const store::RunWithMessages& whole, std::string text)
{
    store::Message answer{.id = whole.run.answer,
                          .session = whole.run.session,
                          .parent = whole.run.question,
                          .speaker = Speaker::assistant,
                          .parts = {std::move(text)},
                          .created_at = whole.run.started_at.value_or(whole.run.created_at),
                          .model = whole.run.model,
                          .run = whole.run.id};
    return view(answer);
}

}  // namespace parley::chat
