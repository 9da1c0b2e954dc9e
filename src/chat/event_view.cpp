#include "chat/event_view.hpp"

#include "base/rfc3339.hpp"
#include "fields/write.hpp"

namespace parley::chat {
namespace {

api::EventSubjectView subject(const store::Event& event)
{
    const std::string_view type = fields::name_of(event.type);
    const std::string_view what = type.substr(type.rfind('.') + 1);
    // Runs of both kinds begin as queued; their other events are named by the new status.
    const std::string status(what == "created" ? "queued" : what);
    if (type.starts_with("chat.run.")) return {"chat.run", event.subject, event.parent, {}, status};
    if (type.starts_with("automation.run."))
        return {"automation.run", event.subject, {}, event.parent, status};
    if (type.starts_with("chat.session.")) return {"chat.session", event.subject, {}, {}, {}};
    if (type.starts_with("automation.")) return {"automation", event.subject, {}, {}, {}};
    if (type.starts_with("webhook.")) return {"webhook", event.subject, {}, {}, {}};
    return {"api_token", event.subject, {}, {}, {}};
}

}  // namespace

api::EventView view(const Owner& owner, const store::Event& event)
{
    api::EventView view{.id = event.id,
                        .sequence_number = event.number,
                        .type = event.type,
                        .timestamp = rfc3339(event.at),
                        .test = owner.test,
                        .cause = {},
                        .data = subject(event)};
    if (!event.cause.request.empty()) view.cause.request_id = event.cause.request;
    if (!event.cause.automation.empty()) {
        view.cause.automation_id = event.cause.automation;
        view.cause.automation_run_id = event.cause.automation_run;
    }
    view.cause.depth = event.cause.depth;
    return view;
}

}  // namespace parley::chat
