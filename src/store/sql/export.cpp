#include "store/sql/automation_rows.hpp"
#include "store/sql/chats.hpp"
#include "store/sql/images.hpp"
#include "store/sql/moving.hpp"
#include "store/sql/people.hpp"
#include "store/sql/webhook_rows.hpp"

#include <functional>
#include <utility>

namespace parley::store::sql {
namespace {

// Rows of one query: PostgreSQL's library holds all rows of an answer in memory.
constexpr std::int64_t rows_at_once = 100;

void export_messages(Connection& connection, std::int64_t session, ExportSink& sink)
{
    std::int64_t after = 0;
    for (bool has_more = true; has_more && !sink.is_full();) {
        Query select = connection.query("SELECT " MESSAGE_COLUMNS FROM_MESSAGES
                                        " WHERE messages.session = ?1 AND messages.position > ?2"
                                        " ORDER BY messages.position LIMIT ?3");
        select.bind(session, after, rows_at_once);
        std::int64_t rows = 0;
        for (; select.next(); ++rows) {
            const KeptMessage kept = message_of(select);
            sink.message(kept.message);
            after = kept.position;
        }
        has_more = rows == rows_at_once;
    }
}

// One at a time, since they are large.
void export_images(Connection& connection, const Owner& owner,
                   const std::vector<std::string>& names, ExportSink& sink)
{
    for (const std::string& name : names) {
        if (sink.is_full()) return;
        if (const auto image = find_image(connection, owner, name)) sink.image(*image);
    }
}

void export_sessions(Connection& connection, const Owner& owner, ExportSink& sink)
{
    std::int64_t after = 0;
    for (bool has_more = true; has_more && !sink.is_full();) {
        std::vector<KeptSession> sessions;
        {
            Query select =
                connection.query("SELECT " SESSION_COLUMNS
                                 " FROM sessions INDEXED BY sessions_by_creation"
                                 " WHERE sessions.user = ?1 AND test = ?2 AND position > ?3"
                                 " AND removed <> 1"
                                 " ORDER BY position LIMIT ?4");
            select.bind(owner.user, owner.test, after, rows_at_once);
            while (select.next()) sessions.push_back(session_of(connection, select));
        }
        for (const KeptSession& kept : sessions) {
            if (sink.is_full()) return;
            sink.session(kept.session);
            export_messages(connection, kept.position, sink);
            after = kept.position;
        }
        has_more = std::ssize(sessions) == rows_at_once;
    }
}

Result<> export_session(Connection& connection, const Owner& owner, const std::string& id,
                        ExportSink& sink)
{
    const auto found = find_session(connection, owner, id);
    if (!found) return not_found("The session");
    sink.session(found->session);
    export_messages(connection, found->position, sink);
    export_images(connection, owner, image_names(connection, found->position), sink);
    return {};
}

void export_automations(Connection& connection, const Owner& owner, ExportSink& sink)
{
    Query select = connection.query(
        "SELECT " AUTOMATION_COLUMNS
        " FROM automations INDEXED BY automations_of_user" JOIN_DEFINITION
        " WHERE automations.user = ?1 AND automations.test = ?2 ORDER BY automations.position");
    select.bind(owner.user, owner.test);
    while (select.next()) sink.automation(automation_of(connection, select).automation);
}

void export_webhooks(Connection& connection, const Owner& owner, ExportSink& sink)
{
    Query select = connection.query("SELECT " WEBHOOK_COLUMNS
                                    " FROM webhooks INDEXED BY webhooks_of_user"
                                    " WHERE webhooks.user = ?1 AND webhooks.test = ?2"
                                    " ORDER BY webhooks.position");
    select.bind(owner.user, owner.test);
    while (select.next()) sink.webhook(webhook_of(select).webhook);
}

Result<> export_owner(Connection& connection, const Owner& owner, ExportSink& sink)
{
    const auto user = find_user(connection, owner.user);
    if (!user) return not_found("The user");
    sink.user(*user);
    export_sessions(connection, owner, sink);
    export_images(connection, owner, image_names(connection, owner), sink);
    export_automations(connection, owner, sink);
    export_webhooks(connection, owner, sink);
    return {};
}

// A sink that wants nothing more once the server has no more time.
class SinkWithEnd final : public ExportSink {
public:
    SinkWithEnd(ExportSink& sink, std::function<bool()> is_over)
        : sink_(sink), is_over_(std::move(is_over))
    {
    }

    void begin() override { sink_.begin(); }
    void user(const User& user) override { sink_.user(user); }
    void session(const Session& session) override { sink_.session(session); }
    void message(const Message& message) override { sink_.message(message); }
    void image(const Image& image) override { sink_.image(image); }
    void automation(const Automation& automation) override { sink_.automation(automation); }
    void webhook(const Webhook& webhook) override { sink_.webhook(webhook); }
    bool is_full() const override { return sink_.is_full() || is_over_(); }

private:
    ExportSink& sink_;
    const std::function<bool()> is_over_;
};

}  // namespace

Task<Result<>> SqlMoving::export_data(Owner owner, std::optional<std::string> session,
                                      std::shared_ptr<ExportSink> sink)
{
    return long_reads_.run<void>([this, owner = std::move(owner), session = std::move(session),
                                  sink = std::move(sink)](Connection& connection) -> Result<> {
        SinkWithEnd until_end(*sink, [this] { return is_over(); });
        until_end.begin();
        auto read = session ? export_session(connection, owner, *session, until_end)
                            : export_owner(connection, owner, until_end);
        if (read && is_over()) return Error{Errc::shutting_down, "The server is shutting down."};
        return read;
    });
}

}  // namespace parley::store::sql
