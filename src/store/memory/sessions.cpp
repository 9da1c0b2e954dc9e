#include "store/memory/sessions.hpp"

namespace parley::store {
namespace {

using Position = Sessions::Position;
using SessionPage = Page<Session, Position>;

// A list that is gone through from its front or from its back.
template <class Visit>
void go_through(const std::map<Position, std::string>& rows, bool ascending,
                std::optional<Position> after, Visit visit)
{
    if (ascending) {
        auto row = after ? rows.upper_bound(*after) : rows.begin();
        while (row != rows.end() && visit(*row)) ++row;
    } else {
        for (auto row = after ? rows.lower_bound(*after) : rows.end(); row != rows.begin();)
            if (!visit(*--row)) break;
    }
}

bool is_wanted(const Session& session, const Owner& owner, const SessionFilter& filter)
{
    return session.owner == owner &&
           filter.archived.value_or(session.archived) == session.archived &&
           session.title_key.find(filter.title_part) != std::string::npos;
}

Result<Sessions::Created> replay(Chats& chats, const Owner& owner, const std::string& session)
{
    const Session* found = chats.find_session(owner, session);
    if (!found) return not_found("The session");
    return Sessions::Created{*found, true};
}

}  // namespace

Task<Result<Sessions::Created>> MemorySessions::create_session(Session session,
                                                               std::optional<KeyClaim> key)
{
    const std::scoped_lock lock(people_.mutex, chats_.mutex);
    if (key) {
        const auto made = chats_.made_before(session.owner, *key, Keyed::session);
        if (!made) co_return made.error();
        if (*made) co_return replay(chats_, session.owner, **made);
    }
    if (!people_.find_user(session.owner.user)) co_return not_found("The user");
    make_new(session);
    if (!chats_.add(session)) co_return session_is_there();
    if (key) chats_.bind_key(session.owner, *key, Keyed::session, session.id);
    co_return Created{std::move(session), false};
}

Task<Result<Session>> MemorySessions::find_session(Owner owner, std::string id)
{
    const std::lock_guard lock(chats_.mutex);
    const Session* found = chats_.find_session(owner, id);
    if (!found) co_return not_found("The session");
    co_return *found;
}

Task<Result<SessionPage>> MemorySessions::list_sessions(Owner owner, SessionFilter filter,
                                                        std::optional<Position> after,
                                                        std::size_t limit)
{
    const std::lock_guard lock(chats_.mutex);
    SessionPage page;
    PageRoom room;
    Position last = 0;
    go_through(chats_.in_order_of(filter.sort), filter.ascending, after, [&](const auto& row) {
        const Session& session = chats_.session(row.second);
        if (!is_wanted(session, owner, filter)) return true;
        if (page.items.size() == limit || !room.takes(page_bytes(session))) {
            page.next = last;
            return false;
        }
        last = row.first;
        page.items.push_back(session);
        return true;
    });
    co_return page;
}

Task<Result<Session>> MemorySessions::change_session(Owner owner, std::string id,
                                                     SessionChange change,
                                                     std::optional<std::int64_t> expected)
{
    const std::lock_guard lock(chats_.mutex);
    Session* found = chats_.find_session(owner, id);
    if (!found) co_return not_found("The session");
    if (expected && *expected != found->revision) co_return session_was_changed();
    apply(*found, change);
    co_return *found;
}

Task<Result<>> MemorySessions::remove_session(Owner owner, std::string id,
                                              std::optional<std::int64_t> expected)
{
    const std::lock_guard lock(chats_.mutex);
    const Session* found = chats_.find_session(owner, id);
    if (!found) co_return not_found("The session");
    if (expected && *expected != found->revision) co_return session_was_changed();
    chats_.remove_session(id);
    co_return Result<>();
}

}  // namespace parley::store
