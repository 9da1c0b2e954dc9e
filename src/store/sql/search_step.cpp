#include "store/sql/search_step.hpp"

#include "base/sha256.hpp"
#include "store/sql/people.hpp"
#include "store/sql/search_buckets.hpp"
#include "store/sql/search_docs.hpp"

#include <algorithm>
#include <iterator>

namespace parley::store::sql {
namespace {

// Words of one step: other changes wait for it.
constexpr std::size_t max_words_at_once = 20'000;

struct CounterColumns {
    const Statement* in;
    Column<std::string_view> name{*in, "name"};
    Column<std::int64_t> value{*in, "value"};
};

struct UnindexedColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::string> id{*in, "id"};
    Column<std::int64_t> owner{*in, "owner"};
    Column<std::int64_t> session{*in, "session"};
    Column<std::string> speaker{*in, "speaker"};
    Column<std::int64_t> created_ms{*in, "created_ms"};
    Column<std::string_view> parts{*in, "parts"};
    Column<std::int64_t> bucket{*in, "newest_bucket"};
    Column<std::int64_t> docs{*in, "docs_of_bucket"};
};

NewDoc new_doc_of(const Query& row, const SearchDialect& dialect, BucketFiller& buckets,
                  std::size_t& words_read)
{
    const auto& at = row.columns<UnindexedColumns>();
    const std::vector<std::string> words = indexed_words(row[at.parts]);
    words_read += words.size();
    const std::int64_t owner = row[at.owner];
    const std::int64_t bucket =
        buckets.bucket_for(owner, {.bucket = row[at.bucket], .docs = row[at.docs]});
    const std::string speaker = row[at.speaker];
    return {.id = row[at.id],
            .first_doc = first_doc_of_ms(row[at.created_ms]),
            .doc = {.message = row[at.position],
                    .owner = owner,
                    .bucket = bucket,
                    .text = dialect.index_text({.owner = owner,
                                                .bucket = bucket,
                                                .session = row[at.session],
                                                .speaker = speaker,
                                                .words = words})}};
}

// Reads messages that are not in the index.
class NewDocReader {
public:
    explicit NewDocReader(Connection& connection) : connection_(connection) {}

    // Those behind a position, up to another one. True if there are no further ones.
    bool read(std::int64_t from, std::int64_t to, std::size_t most, std::vector<NewDoc>& into)
    {
        // The bucket is NULL, and read as 0, if the owner has none.
        Query select = connection_.query(
            "SELECT messages.position, messages.id, 2 * users.position + sessions.test AS owner,"
            " messages.session, messages.speaker, messages.created_ms, messages.parts,"
            " (SELECT buckets.bucket FROM search_buckets AS buckets"
            " WHERE buckets.owner = 2 * users.position + sessions.test"
            " ORDER BY buckets.bucket DESC LIMIT 1) AS newest_bucket,"
            " (SELECT buckets.docs FROM search_buckets AS buckets"
            " WHERE buckets.owner = 2 * users.position + sessions.test"
            " ORDER BY buckets.bucket DESC LIMIT 1) AS docs_of_bucket"
            " FROM messages CROSS JOIN sessions ON sessions.position = messages.session"
            " CROSS JOIN users ON users.id = sessions.user"
            " WHERE messages.position > ?1 AND messages.position <= ?2 AND NOT EXISTS"
            " (SELECT 1 FROM search_docs WHERE search_docs.message = messages.position)"
            " ORDER BY messages.position LIMIT ?3");
        select.bind(from, to, at_most(most));
        while (words_ < max_words_at_once) {
            if (!select.next()) return into.size() < most;
            into.push_back(new_doc_of(select, connection_.search_dialect(), buckets_, words_));
        }
        return false;
    }

private:
    Connection& connection_;
    BucketFiller buckets_;
    std::size_t words_ = 0;
};

// What has to be known before messages are read.
IndexStep first_look(Connection& connection)
{
    IndexStateQuery asked(connection);
    // Number of the oldest transaction that runs, in a database that does not commit in order.
    // Those that have ended do not tell, because one that runs may have a higher number than all of
    // them.
    IndexStep step{.is_in_order = connection.search_dialect().commits_in_order()};
    std::optional<Query> oldest;
    if (!step.is_in_order) {
        oldest.emplace(connection.query(
            "SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint)"));
        oldest->ask();
    }
    Query newest = connection.query("SELECT coalesce(max(position), 0) FROM messages");
    newest.next();
    step.newest = newest.only<std::int64_t>();
    if (oldest && oldest->next()) step.oldest_transaction = oldest->only<std::int64_t>();
    const IndexState state = asked.read();
    step.is_outdated = state.version != version_of_words();
    step.index = state.index;
    step.mark = state.mark;
    return step;
}

}  // namespace

IndexStateQuery::IndexStateQuery(Connection& connection)
    : select_(connection.query("SELECT name, value FROM counters WHERE name IN (?1, ?2, ?3)"))
{
    select_.bind(mark_name, version_name, index_name).ask();
}

IndexState IndexStateQuery::read()
{
    IndexState state;
    while (select_.next()) {
        const auto& at = select_.columns<CounterColumns>();
        const std::string_view name = select_[at.name];
        std::int64_t& value = name == mark_name      ? state.mark
                              : name == version_name ? state.version
                                                     : state.index;
        value = select_[at.value];
    }
    return state;
}

std::int64_t version_of_words()
{
    const Sha256 hash = sha256(search::version_of_words());
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < 7; ++i) number = number << 8 | hash.at(i);
    return static_cast<std::int64_t>(number);
}

IndexStep read_step(Connection& connection, SettledPositions& settled,
                    std::optional<std::int64_t> fresh_from, std::size_t most)
{
    const SearchDialect& dialect = connection.search_dialect();
    IndexStep step = first_look(connection);
    settled.read_for(step.index);
    if (step.is_outdated) return step;
    step.leftovers = dialect.leftovers(connection, most);
    if (step.leftovers.size() == most) return step;
    NewDocReader reader(connection);
    const std::int64_t from = step.is_in_order ? step.mark : settled.next_from(step.mark);
    // Half of a step remains for the others.
    if (fresh_from && *fresh_from > from)
        reader.read(*fresh_from, step.newest, most / 2, step.fresh);
    const bool has_fresh = !step.fresh.empty();
    const std::int64_t to = has_fresh ? *fresh_from : step.newest;
    const bool is_complete = reader.read(from, to, most - step.count(), step.docs);
    step.is_end = is_complete && !has_fresh;
    if (is_complete && has_fresh) {  // There is nothing between them any more.
        std::ranges::move(step.fresh, std::back_inserter(step.docs));
        step.fresh.clear();
    }
    return step;
}

}  // namespace parley::store::sql
