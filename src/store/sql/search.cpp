#include "store/sql/search.hpp"

#include "fields/write.hpp"
#include "store/sql/connection.hpp"
#include "store/sql/people.hpp"
#include "store/sql/search_buckets.hpp"
#include "store/sql/search_dialect.hpp"
#include "store/sql/search_docs.hpp"

#include <limits>

namespace parley::store::sql {
namespace {

// For one page. An index may find messages that do not contain the query, and long messages take
// long to read: the next page goes on behind them.
constexpr std::size_t most_looked_at = 1000;
constexpr std::size_t most_bytes_looked_at = std::size_t{1} * 1024 * 1024;

using HitPage = Page<FoundMessage, Search::Position>;

struct HitColumns {
    const Statement* in;
    Column<std::int64_t> doc{*in, "doc"};
    Column<std::string> message{*in, "message_id"};
    Column<std::string> session{*in, "session_id"};
    Column<std::string> title{*in, "title"};
    Column<Speaker> speaker{*in, "speaker"};
    Column<TimePoint> created_at{*in, "created_ms"};
    Column<std::string_view> parts{*in, "parts"};
};

struct Range {
    std::int64_t before = std::numeric_limits<std::int64_t>::max();
    std::int64_t from = 0;
};

Range range_of(const SearchFilter& filter, std::optional<Search::Position> after)
{
    Range range;
    if (filter.before) range.before = first_doc_after(*filter.before);
    if (filter.since) range.from = first_doc_at(*filter.since);
    if (after) range.before = std::min(range.before, *after);
    return range;
}

std::optional<std::int64_t> position_of_session(Connection& connection, const Owner& owner,
                                                const std::string& id)
{
    Query select = connection.query(
        "SELECT position FROM sessions WHERE id = ?1 AND sessions.user = ?2 AND test = ?3");
    if (!select.bind(id, owner.user, owner.test).next()) return std::nullopt;
    return select.only<std::int64_t>();
}

FoundMessage hit_of(const Query& row, search::Snippet snippet)
{
    const auto& at = row.columns<HitColumns>();
    return {.message = row[at.message],
            .session = row[at.session],
            .session_title = row[at.title],
            .speaker = row[at.speaker],
            .created_at = row[at.created_at],
            .snippet = std::move(snippet)};
}

// Reads the index from the newest messages on until a page is full.
class HitReader {
public:
    HitReader(Connection& connection, const search::Query& query, const SearchFilter& filter,
              std::size_t limit)
        : connection_(connection), query_(query), filter_(filter), limit_(limit)
    {
    }

    // `condition` is without buckets.
    HitPage read(SearchCondition condition, Range range)
    {
        connection_.search_dialect().prepare(connection_);
        const std::vector<Bucket> buckets = buckets_of(connection_, condition.owner);
        // The fewer hits there are, the more buckets are read at once.
        for (std::size_t count = 1; range.from < range.before && !page_.next; count *= 2) {
            const SearchWindow window = window_before(buckets, range.before, count);
            if (window.buckets.empty()) break;
            condition.buckets = window.buckets;
            Range part{range.before, std::max(range.from, window.from)};
            read_window(condition, part);
            range.before = part.from;
        }
        return std::move(page_);
    }

private:
    using Bounds = std::numeric_limits<std::int64_t>;
    static constexpr std::int64_t lowest = Bounds::min();
    static constexpr std::int64_t highest = Bounds::max();

    void read_window(const SearchCondition& condition, Range& range)
    {
        const SearchDialect& dialect = connection_.search_dialect();
        const std::string text = dialect.condition_text(condition);
        const std::int64_t since = filter_.since ? to_ms(*filter_.since) : lowest;
        const std::int64_t before = filter_.before ? to_ms(*filter_.before) : highest;
        for (bool has_more = true; has_more && !page_.next;) {
            Query select = connection_.query(dialect.find());
            select.bind(text, condition.owner, range.before, range.from, since, before,
                        at_most(limit_ + 1));
            has_more = take(select, range) == limit_ + 1;
        }
    }

    // Returns the number of rows.
    std::size_t take(Query& rows, Range& range)
    {
        std::size_t count = 0;
        for (; !page_.next && rows.next(); ++count) {
            if (looked_at_ == most_looked_at || bytes_looked_at_ >= most_bytes_looked_at) {
                page_.next = last_;
                break;
            }
            const auto& at = rows.columns<HitColumns>();
            const std::string text = searched_text(rows[at.parts]);
            ++looked_at_;
            bytes_looked_at_ += text.size();
            auto snippet = search::snippet_of(text, query_);
            if (snippet && page_.items.size() == limit_) {
                page_.next = last_;
            } else {
                last_ = range.before = rows[at.doc];
                if (snippet) page_.items.push_back(hit_of(rows, std::move(*snippet)));
            }
        }
        return count;
    }

    Connection& connection_;
    const search::Query& query_;
    const SearchFilter& filter_;
    const std::size_t limit_;
    std::size_t looked_at_ = 0;
    std::size_t bytes_looked_at_ = 0;
    std::int64_t last_ = highest;  // The last doc that was looked at.
    HitPage page_;
};

Result<HitPage> find_page(Connection& connection, const Owner& owner, const search::Query& query,
                          const SearchFilter& filter, std::optional<Search::Position> after,
                          std::size_t limit)
{
    const auto number = owner_number(connection, owner);
    if (!number || query.terms().empty() || limit == 0) return HitPage{};
    SearchCondition condition{.owner = *number, .query = &query};
    if (filter.speaker) condition.speaker = fields::name_of(*filter.speaker);
    if (filter.session) {
        condition.session = position_of_session(connection, owner, *filter.session);
        if (!condition.session) return HitPage{};
    }
    return HitReader(connection, query, filter, limit).read(condition, range_of(filter, after));
}

}  // namespace

Task<Result<HitPage>> SqlSearch::find(Owner owner, search::Query query, SearchFilter filter,
                                      std::optional<Position> after, std::size_t limit)
{
    const auto turn = co_await turns_.take(owner.user);
    if (!turn) co_return turn.error();
    co_return co_await searches_.run<HitPage>([owner = std::move(owner), query = std::move(query),
                                               filter = std::move(filter), after,
                                               limit](Connection& connection) {
        return find_page(connection, owner, query, filter, after, limit);
    });
}

}  // namespace parley::store::sql
