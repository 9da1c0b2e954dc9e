// Keeps the index complete: reads new messages in one transaction, so that the thread that writes
// has little to do, and adds them in another one.
#include "base/sha256.hpp"
#include "fields/write.hpp"
#include "store/sql/connection.hpp"
#include "store/sql/people.hpp"
#include "store/sql/search.hpp"
#include "store/sql/search_buckets.hpp"
#include "store/sql/search_dialect.hpp"
#include "store/sql/search_docs.hpp"

#include <algorithm>
#include <iterator>

namespace parley::store::sql {
namespace {

// Words of one step: other changes wait for it.
constexpr std::size_t max_words_at_once = 20'000;

struct NewDoc {
    std::string id = {};  // msg_…
    std::int64_t first_doc = 0;
    SearchDoc doc = {};
};

// The work of one step.
struct IndexStep {
    bool is_in_order = false;  // SearchDialect::commits_in_order().
    bool is_outdated = false;  // All has to be indexed again, by other rules.
    std::int64_t index = 0;    // How often that was done before.
    std::int64_t mark = 0;     // Messages up to this position need not be looked at.
    std::vector<SearchDoc> leftovers = {};
    std::vector<NewDoc> fresh = {};       // Read before their turn.
    std::vector<NewDoc> docs = {};        // In the order of their positions, from the mark on.
    bool is_end = false;                  // There are no further messages.
    std::int64_t newest = 0;              // The position of the newest message.
    std::int64_t oldest_transaction = 0;  // All below had ended when the messages were read.

    std::size_t count() const { return leftovers.size() + fresh.size() + docs.size(); }
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
};

std::int64_t version_number()
{
    const Sha256 hash = sha256(search::version_of_words());
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < 7; ++i) number = number << 8 | hash.at(i);
    return static_cast<std::int64_t>(number);
}

std::int64_t counter(Connection& connection, std::string_view name)
{
    Query select = connection.query("SELECT value FROM counters WHERE name = ?1");
    return select.bind(name).next() ? select.only<std::int64_t>() : 0;
}

void set_counter(Connection& connection, std::string_view name, std::int64_t value)
{
    Query insert = connection.query(
        "INSERT INTO counters (name, value) VALUES (?1, ?2)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value");
    insert.bind(name, value).run();
}

constexpr std::string_view mark_name = "searchable";
constexpr std::string_view version_name = "search_version";
constexpr std::string_view index_name = "search_index";

NewDoc new_doc_of(const Query& row, const SearchDialect& dialect, BucketFiller& buckets,
                  std::size_t& words_read)
{
    const auto& at = row.columns<UnindexedColumns>();
    const std::vector<std::string> words = indexed_words(row[at.parts]);
    words_read += words.size();
    const std::int64_t owner = row[at.owner];
    const std::int64_t bucket = buckets.bucket_for(owner);
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
    explicit NewDocReader(Connection& connection) : connection_(connection), buckets_(connection) {}

    // Those behind a position, up to another one. True if there are no further ones.
    bool read(std::int64_t from, std::int64_t to, std::size_t most, std::vector<NewDoc>& into)
    {
        Query select = connection_.query(
            "SELECT messages.position, messages.id, 2 * users.position + sessions.test AS owner,"
            " messages.session, messages.speaker, messages.created_ms, messages.parts"
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

std::int64_t newest_position(Connection& connection)
{
    Query select = connection.query("SELECT coalesce(max(position), 0) FROM messages");
    select.next();
    return select.only<std::int64_t>();
}

// Numbers of transactions, in a database that does not commit in order: of the oldest one that
// runs, and of this one. All that run have lower numbers than one that begins later; those that
// have ended do not tell, because one that runs may have a higher number than all of them.
std::int64_t oldest_transaction(Connection& connection)
{
    Query select = connection.query(
        "SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint)");
    select.next();
    return select.only<std::int64_t>();
}
std::int64_t this_transaction(Connection& connection)
{
    Query select = connection.query("SELECT CAST(CAST(pg_current_xact_id() AS text) AS bigint)");
    select.next();
    return select.only<std::int64_t>();
}

Result<IndexStep> read_step(Connection& connection, SettledPositions& settled,
                            std::optional<std::int64_t> fresh_from, std::size_t most)
{
    const SearchDialect& dialect = connection.search_dialect();
    IndexStep step{.is_in_order = dialect.commits_in_order(),
                   .is_outdated = counter(connection, version_name) != version_number(),
                   .index = counter(connection, index_name),
                   .mark = counter(connection, mark_name),
                   .newest = newest_position(connection)};
    settled.read_for(step.index);
    if (!step.is_in_order) step.oldest_transaction = oldest_transaction(connection);
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

// A free number, from `first` on.
std::int64_t free_doc(Connection& connection, std::int64_t first)
{
    for (;; first = end_of_ms(first)) {
        const std::int64_t end = end_of_ms(first);
        Query select = connection.query(connection.search_dialect().highest_doc());
        select.bind(end).next();
        const auto highest = select.only<std::int64_t>();
        if (highest < first) return first;
        if (highest + 1 < end) return highest + 1;
    }
}

// Whether the message is still there, and not in the index.
bool is_wanted(Connection& connection, const NewDoc& doc)
{
    Query select = connection.query(
        "SELECT 1 FROM messages WHERE position = ?1 AND id = ?2"
        " AND NOT EXISTS (SELECT 1 FROM search_docs WHERE search_docs.message = "
        "messages.position)");
    return select.bind(doc.doc.message, doc.id).next();
}

// False if the message is gone.
bool add_doc(Connection& connection, const NewDoc& added)
{
    if (!is_wanted(connection, added)) return false;
    SearchDoc doc = added.doc;
    doc.doc = free_doc(connection, added.first_doc);
    connection.search_dialect().add(connection, doc);
    note_doc(connection, doc.owner, doc.bucket, doc.doc);
    return true;
}

// The position up to which the index is complete.
std::int64_t new_mark(const IndexStep& step, std::int64_t settled)
{
    if (!step.is_in_order) return std::max(step.mark, settled);
    return step.docs.empty() ? step.mark : step.docs.back().doc.message;
}

void begin_index(Connection& connection, const IndexStep& step)
{
    connection.search_dialect().clear(connection);
    connection.query("DELETE FROM search_buckets").run();
    set_counter(connection, mark_name, 0);
    set_counter(connection, version_name, version_number());
    set_counter(connection, index_name, step.index + 1);
}

void write_step(Connection& connection, const IndexStep& step, std::int64_t settled)
{
    connection.lock(Lock::search_index, {});
    // Another server has begun a new index since this step was read.
    if (counter(connection, index_name) != step.index) return;
    const SearchDialect& dialect = connection.search_dialect();
    if (step.is_outdated) return begin_index(connection, step);
    for (const SearchDoc& leftover : step.leftovers) dialect.remove(connection, leftover);
    for (const NewDoc& each : step.fresh) add_doc(connection, each);
    bool are_all_there = true;
    for (const NewDoc& each : step.docs) are_all_there &= add_doc(connection, each);
    // SQLite may use the position of a deleted message again.
    if (!are_all_there && step.is_in_order) return;
    const std::int64_t mark = new_mark(step, settled);
    if (mark != step.mark && counter(connection, mark_name) == step.mark)
        set_counter(connection, mark_name, mark);
}

}  // namespace

Task<Result<std::size_t>> SqlSearch::update_index(std::size_t most)
{
    const auto step = co_await reads_.run<IndexStep>([this, most](Connection& connection) {
        return read_step(connection, settled_, fresh_from_, most);
    });
    if (!step) co_return step.error();
    const SteadyPoint ended = std::chrono::steady_clock::now();
    // Servers of two versions may share a database. The one that started last decides; otherwise
    // each of them would always begin the index again.
    if (step->is_outdated && !may_begin_index_) co_return 0;
    const std::int64_t settled = settled_.settled();
    const std::size_t count = step->count() + (step->is_outdated ? 1 : 0);
    // Higher than the numbers of all transactions that ran when the messages were read.
    std::int64_t written_by = 0;
    if (count > 0 || settled > step->mark) {
        const auto written = co_await writes_.run<std::int64_t>(
            [&step = *step, settled](Connection& connection) -> Result<std::int64_t> {
                write_step(connection, step, settled);
                return step.is_in_order ? 0 : this_transaction(connection);
            });
        if (!written) co_return written.error();
        written_by = *written;
    }
    may_begin_index_ = false;
    if (!step->is_in_order && (!step->docs.empty() || step->is_end))
        settled_.note_read(step->docs.empty() ? step->mark : step->docs.back().doc.message,
                           step->is_end, {step->oldest_transaction, written_by});
    if (step->is_end)
        fresh_from_.reset();
    else if (!step->fresh.empty())
        fresh_from_ = step->fresh.back().doc.message;
    else if (!fresh_from_ || (!step->docs.empty() && *fresh_from_ < step->docs.back().doc.message))
        fresh_from_ = step->newest;
    backlog_.indexed(step->fresh.size() + step->docs.size(), step->is_end, ended);
    co_return count;
}

}  // namespace parley::store::sql
