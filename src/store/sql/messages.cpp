#include "store/sql/messages.hpp"

#include "store/sql/chats.hpp"
#include "store/sql/images.hpp"

#include <algorithm>
#include <iterator>

namespace parley::store::sql {
namespace {

PlacedMessage placed(Connection& connection, KeptMessage kept)
{
    std::vector<std::string> beside = children_of(connection, kept.session, kept.parent);
    return {std::move(kept.message), std::move(beside)};
}

Result<PlacedMessage> find(Connection& connection, const Owner& owner, const std::string& id)
{
    auto found = find_message(connection, owner, id);
    if (!found) return not_found("The message");
    return placed(connection, std::move(*found));
}

struct Depths {
    std::int64_t first = 0;
    std::int64_t last = -1;
};

// Which part of a branch that ends at the depth `end` a page is to hold.
Depths depths_of_page(std::int64_t end, bool ascending, std::optional<Messages::Position> after,
                      std::size_t limit)
{
    const auto count = static_cast<std::int64_t>(
        std::min(limit, static_cast<std::size_t>(end) + 1));  // More than that there are not.
    if (ascending) {
        const std::int64_t first = std::clamp<std::int64_t>(after.value_or(-1), -1, end) + 1;
        return {first, std::min(first + count - 1, end)};
    }
    const std::int64_t last = std::clamp<std::int64_t>(after.value_or(end + 1), 0, end + 1) - 1;
    return {std::max<std::int64_t>(last - count + 1, 0), last};
}

struct BranchColumns {
    const Statement* in;
    Column<std::int64_t> first_depth{*in, "first_depth"};
    Column<std::optional<std::int64_t>> parent_branch{*in, "parent_branch"};
};

struct Segment {
    std::int64_t branch = 0;
    Depths depths = {};
};

// The parts of the branch down to a leaf that meet these depths, from the lowest upwards.
std::vector<Segment> segments_up(Connection& connection, const KeptMessage& leaf, Depths wanted)
{
    std::vector<Segment> segments;
    std::int64_t end = leaf.message.depth;
    std::optional<std::int64_t> next = leaf.branch;
    while (next && end >= wanted.first) {
        const std::int64_t branch = *next;
        Query select =
            connection.query("SELECT first_depth, parent_branch FROM branches WHERE branch = ?1");
        if (!select.bind(branch).next()) throw damage("a branch of a session is missing");
        const auto& at = select.columns<BranchColumns>();
        const std::int64_t begin = select[at.first_depth];
        next = select[at.parent_branch];
        const Depths meeting{std::max(begin, wanted.first), std::min(end, wanted.last)};
        if (meeting.first <= meeting.last) segments.push_back({branch, meeting});
        end = begin - 1;
    }
    return segments;
}

struct BranchQuery {
    std::optional<std::string> leaf;
    bool ascending = false;
    bool with_siblings = true;
    std::optional<Messages::Position> after;
    std::size_t limit = 0;
};

// False where the page is full before the segment ends.
bool append_segment(Connection& connection, const Segment& segment, const BranchQuery& query,
                    PageRoom& room, std::vector<PlacedMessage>& out)
{
    Query select = query.ascending ? connection.query("SELECT " MESSAGE_COLUMNS FROM_MESSAGES
                                                      " WHERE messages.branch = ?1"
                                                      " AND messages.depth BETWEEN ?2 AND ?3"
                                                      " ORDER BY messages.depth ASC")
                                   : connection.query("SELECT " MESSAGE_COLUMNS FROM_MESSAGES
                                                      " WHERE messages.branch = ?1"
                                                      " AND messages.depth BETWEEN ?2 AND ?3"
                                                      " ORDER BY messages.depth DESC");
    select.bind(segment.branch, segment.depths.first, segment.depths.last);
    while (select.next()) {
        KeptMessage kept = message_of(select);
        PlacedMessage next = query.with_siblings ? placed(connection, std::move(kept))
                                                 : PlacedMessage{std::move(kept.message), {}};
        if (!room.takes(page_bytes(next))) return false;
        out.push_back(std::move(next));
    }
    return true;
}

Result<Messages::BranchPage> page_of_branch(Connection& connection, const Owner& owner,
                                            const std::string& session_id, const BranchQuery& query)
{
    const auto session = find_session(connection, owner, session_id);
    if (!session) return not_found("The session");
    const std::optional<std::string>& wanted =
        query.leaf ? query.leaf : session->session.newest_message;
    if (!wanted) return Messages::BranchPage{};
    const auto leaf = find_message(connection, *wanted);
    if (!leaf || leaf->session != session->position) return not_found("The message");

    const std::int64_t end = leaf->message.depth;
    const Depths depths = depths_of_page(end, query.ascending, query.after, query.limit);
    auto segments = segments_up(connection, *leaf, depths);
    if (query.ascending) std::ranges::reverse(segments);
    Messages::BranchPage result{.page = {}, .leaf = wanted};
    auto& [items, next] = result.page;
    PageRoom room;
    const bool all_fit = std::ranges::all_of(segments, [&](const Segment& segment) {
        return append_segment(connection, segment, query, room, items);
    });
    const bool goes_on = !all_fit || (query.ascending ? depths.last < end : depths.first > 0);
    if (goes_on && !items.empty()) next = items.back().message.depth;
    return result;
}

struct NewestColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::string> id{*in, "id"};
};

Result<std::string> find_newest_below(Connection& connection, const Owner& owner,
                                      const std::string& session_id, const std::string& id)
{
    const auto session = find_session(connection, owner, session_id);
    if (!session) return not_found("The session");
    const auto message = find_message(connection, id);
    if (!message || message->session != session->position) return not_found("The message");
    constexpr std::size_t most_branches = 1000;
    std::int64_t newest = message->position;
    std::string found = id;
    const auto below = branches_below(connection, *message);
    auto each = below.begin();
    std::advance(each, below.size() - std::min(below.size(), most_branches));
    for (; each != below.end(); ++each) {
        // The newest message has none below it: it ends its branch.
        Query select = connection.query(
            "SELECT position, id FROM messages WHERE branch = ?1 ORDER BY depth DESC LIMIT 1");
        if (!select.bind(each->first).next()) continue;
        const auto& at = select.columns<NewestColumns>();
        if (select[at.position] <= newest) continue;
        newest = select[at.position];
        found = select[at.id];
    }
    return found;
}

}  // namespace

Task<Result<PlacedMessage>> SqlMessages::find_message(Owner owner, std::string id)
{
    return reads_.run<PlacedMessage>(
        [owner = std::move(owner), id = std::move(id)](Connection& connection) {
            return find(connection, owner, id);
        });
}

Task<Result<Messages::BranchPage>> SqlMessages::list_branch(Owner owner, std::string session,
                                                            std::optional<std::string> leaf,
                                                            bool ascending,
                                                            std::optional<Position> after,
                                                            std::size_t limit)
{
    return reads_.run<BranchPage>([owner = std::move(owner), session = std::move(session),
                                   query = BranchQuery{.leaf = std::move(leaf),
                                                       .ascending = ascending,
                                                       .after = after,
                                                       .limit = limit}](Connection& connection) {
        return page_of_branch(connection, owner, session, query);
    });
}

Task<Result<Messages::BranchPage>> SqlMessages::list_ancestors(Owner owner, std::string session,
                                                               std::optional<std::string> leaf,
                                                               std::optional<Position> after,
                                                               std::size_t limit)
{
    return reads_.run<BranchPage>([owner = std::move(owner), session = std::move(session),
                                   query = BranchQuery{.leaf = std::move(leaf),
                                                       .with_siblings = false,
                                                       .after = after,
                                                       .limit = limit}](Connection& connection) {
        return page_of_branch(connection, owner, session, query);
    });
}

Task<Result<std::string>> SqlMessages::newest_below(Owner owner, std::string session,
                                                    std::string message)
{
    return reads_.run<std::string>([owner = std::move(owner), session = std::move(session),
                                    message = std::move(message)](Connection& connection) {
        return find_newest_below(connection, owner, session, message);
    });
}

Task<Result<Image>> SqlMessages::find_image(Owner owner, std::string sha256)
{
    return reads_.run<Image>(
        [owner = std::move(owner), sha256 = std::move(sha256)](Connection& connection) {
            return sql::find_image(connection, owner, sha256);
        });
}

Task<Result<std::size_t>> SqlMessages::image_size(Owner owner, std::string sha256)
{
    return reads_.run<std::size_t>(
        [owner = std::move(owner), sha256 = std::move(sha256)](Connection& connection) {
            return sql::image_size(connection, owner, sha256);
        });
}

}  // namespace parley::store::sql
