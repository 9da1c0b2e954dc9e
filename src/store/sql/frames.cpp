#include "store/sql/frames.hpp"

#include "store/sql/packed_texts.hpp"
#include "store/sql/people.hpp"

namespace parley::store::sql {
namespace {

constexpr std::int64_t number_of_events = 0;

struct ChunkColumns {
    const Statement* in;
    Column<std::int64_t> first_number{*in, "first_number"};
    Column<std::string_view> bytes{*in, "bytes"};
};

}  // namespace

void insert_events(Connection& connection, std::int64_t run, const std::string& events)
{
    Query insert =
        connection.query("INSERT INTO frames (run, first_number, bytes) VALUES (?1, ?2, ?3)");
    insert.bind(run, number_of_events, Blob{events}).send();
}

std::optional<std::string> find_events(Connection& connection, std::int64_t run)
{
    Query select =
        connection.query("SELECT bytes FROM frames WHERE run = ?1 AND first_number = ?2");
    if (!select.bind(run, number_of_events).next()) return std::nullopt;
    return select.only<std::string>();
}

std::vector<std::string> old_frames_after(Connection& connection, std::int64_t run,
                                          std::int64_t after, std::size_t max_bytes)
{
    Query select = connection.query(
        "SELECT first_number, bytes FROM frames WHERE run = ?1 AND first_number >="
        " coalesce((SELECT max(first_number) FROM frames WHERE run = ?1 AND first_number <= ?2), 0)"
        " ORDER BY first_number");
    select.bind(run, after);
    std::vector<std::string> frames;
    std::size_t size = 0;
    while (select.next()) {
        const auto& at = select.columns<ChunkColumns>();
        std::int64_t number = select[at.first_number];
        for (std::string_view chunk = select[at.bytes]; !chunk.empty(); ++number) {
            const std::string_view frame = take_packed(chunk);
            if (number <= after) continue;
            size += frame.size();
            if (!frames.empty() && size > max_bytes) return frames;
            frames.emplace_back(frame);
        }
    }
    return frames;
}

std::size_t forget_events(Connection& connection, TimePoint before, std::size_t most)
{
    connection.lock(Lock::sweep, {});  // Both statements must find the same runs.
    Query remove = connection.query(
        "DELETE FROM frames WHERE run IN (SELECT position FROM runs"
        " WHERE frames_kept = 1 AND kept_since_ms < ?1 ORDER BY kept_since_ms, position LIMIT ?2)");
    remove.bind(before, at_most(most)).run();
    Query update = connection.query(
        "UPDATE runs SET frames_kept = 0 WHERE position IN (SELECT position FROM runs"
        " WHERE frames_kept = 1 AND kept_since_ms < ?1 ORDER BY kept_since_ms, position LIMIT ?2)");
    return update.bind(before, at_most(most)).run();
}

}  // namespace parley::store::sql
