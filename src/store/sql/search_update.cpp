// Keeps the index complete: reads new messages in one transaction, so that the thread that writes
// has little to do, and adds them in another one.
#include "store/sql/connection.hpp"
#include "store/sql/search.hpp"
#include "store/sql/search_buckets.hpp"
#include "store/sql/search_docs.hpp"
#include "store/sql/search_step.hpp"

#include <algorithm>
#include <map>

namespace parley::store::sql {
namespace {

void set_counter(Connection& connection, std::string_view name, std::int64_t value)
{
    Query insert = connection.query(
        "INSERT INTO counters (name, value) VALUES (?1, ?2)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value");
    insert.bind(name, value).send();
}

// Numbers for messages, which are taken under the lock of the index.
class DocNumbers {
public:
    explicit DocNumbers(Connection& connection) : connection_(connection) {}

    // A free number, from `first` on. `highest` is the highest one in the database that is before
    // the end of its millisecond.
    std::int64_t take(std::int64_t first, std::int64_t highest)
    {
        for (;; first = end_of_ms(first), highest = highest_before(end_of_ms(first))) {
            const std::int64_t end = end_of_ms(first);
            std::int64_t& taken = taken_.try_emplace(end, highest).first->second;
            const std::int64_t doc = std::max(std::max(taken, highest) + 1, first);
            if (doc >= end) continue;
            taken = doc;
            return doc;
        }
    }

private:
    std::int64_t highest_before(std::int64_t doc)
    {
        Query select = connection_.query(connection_.search_dialect().highest_doc());
        select.bind(doc).next();
        return select.only<std::int64_t>();
    }

    Connection& connection_;
    std::map<std::int64_t, std::int64_t> taken_;  // The highest one, by the end of the millisecond.
};

// The new messages of a step: those that are fresh, then the others.
std::vector<const NewDoc*> new_docs_of(const IndexStep& step)
{
    std::vector<const NewDoc*> all;
    all.reserve(step.fresh.size() + step.docs.size());
    for (const NewDoc& each : step.fresh) all.push_back(&each);
    for (const NewDoc& each : step.docs) all.push_back(&each);
    return all;
}

using Found = std::vector<std::optional<std::int64_t>>;

// As SearchDialect::look_up.
Found look_up(Connection& connection, const std::vector<const NewDoc*>& docs)
{
    std::vector<SearchCandidate> candidates;
    candidates.reserve(docs.size());
    for (const NewDoc* each : docs)
        candidates.push_back({each->doc.message, each->id, end_of_ms(each->first_doc)});
    return connection.search_dialect().look_up(connection, candidates);
}

// Returns which of them were still wanted.
std::vector<bool> add_docs(Connection& connection, const std::vector<const NewDoc*>& docs,
                           const Found& found)
{
    std::vector<bool> wanted;
    DocNumbers numbers(connection);
    AddedDocs added;
    for (std::size_t i = 0; i < docs.size(); ++i) {
        const auto& highest = found.at(i);
        wanted.push_back(highest.has_value());
        if (!highest) continue;
        SearchDoc doc = docs[i]->doc;
        doc.doc = numbers.take(docs[i]->first_doc, *highest);
        connection.search_dialect().add(connection, doc);
        added.add(doc.owner, doc.bucket, doc.doc);
    }
    added.store(connection);
    return wanted;
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
    set_counter(connection, version_name, version_of_words());
    set_counter(connection, index_name, step.index + 1);
}

struct WrittenStep {
    // In a database that does not commit in order, the number of the transaction: higher than those
    // of all that ran when the messages were read.
    std::int64_t by = 0;
    bool was_in_vain = false;  // Another server has added all of its messages.
};

WrittenStep write_step(Connection& connection, const IndexStep& step, std::int64_t settled)
{
    connection.lock(Lock::search_index, {});
    IndexStateQuery asked(connection);
    std::optional<Query> number;
    if (!step.is_in_order) {
        number.emplace(
            connection.query("SELECT CAST(CAST(pg_current_xact_id() AS text) AS bigint)"));
        number->ask();
    }
    const std::vector<const NewDoc*> docs = new_docs_of(step);
    const Found found = look_up(connection, docs);
    WrittenStep written;
    if (number && number->next()) written.by = number->only<std::int64_t>();
    const IndexState now = asked.read();
    // Another server has begun a new index since this step was read.
    if (now.index != step.index) return written;
    if (step.is_outdated) {
        begin_index(connection, step);
        return written;
    }
    const SearchDialect& dialect = connection.search_dialect();
    for (const SearchDoc& leftover : step.leftovers) dialect.remove(connection, leftover);
    const std::vector<bool> wanted = add_docs(connection, docs, found);
    written.was_in_vain =
        !step.is_in_order && !wanted.empty() && std::ranges::count(wanted, true) == 0;
    // SQLite may use the position of a deleted message again.
    const auto of_docs = wanted.begin() + std::ssize(step.fresh);
    if (step.is_in_order && std::count(of_docs, wanted.end(), false) > 0) return written;
    const std::int64_t mark = new_mark(step, settled);
    if (mark != step.mark && now.mark == step.mark) set_counter(connection, mark_name, mark);
    return written;
}

}  // namespace

Task<Result<std::size_t>> SqlSearch::update_index(std::size_t most)
{
    const auto step =
        co_await reads_.run<IndexStep>([this, most](Connection& connection) -> Result<IndexStep> {
            return read_step(connection, settled_, fresh_from_, most);
        });
    if (!step) co_return step.error();
    const SteadyPoint ended = std::chrono::steady_clock::now();
    // Servers of two versions may share a database. The one that started last decides; otherwise
    // each of them would always begin the index again.
    if (step->is_outdated && !may_begin_index_) co_return 0;
    const std::int64_t settled = settled_.settled();
    const std::size_t count = step->count() + (step->is_outdated ? 1 : 0);
    WrittenStep written;
    if (count > 0 || settled > step->mark) {
        const auto done = co_await writes_.run<WrittenStep>(
            [&step = *step, settled](Connection& connection) -> Result<WrittenStep> {
                return write_step(connection, step, settled);
            });
        if (!done) co_return done.error();
        written = *done;
    }
    may_begin_index_ = false;
    is_done_by_another_ = written.was_in_vain;
    if (!step->is_in_order && (!step->docs.empty() || step->is_end))
        settled_.note_read(step->docs.empty() ? step->mark : step->docs.back().doc.message,
                           step->is_end, {step->oldest_transaction, written.by});
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
