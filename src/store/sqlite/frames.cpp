#include "store/sqlite/frames.hpp"

#include "store/sqlite/packed_texts.hpp"
#include "store/sqlite/people.hpp"

namespace parley::store::sqlite {
namespace {

constexpr std::int64_t number_of_events = 0;

}  // namespace

void insert_events(Database& database, std::int64_t run, const std::string& events)
{
    Query insert =
        database.query("INSERT INTO frames (run, first_number, bytes) VALUES (?1, ?2, ?3)");
    insert.bind(run, number_of_events, Blob{events}).run();
}

std::optional<std::string> find_events(Database& database, std::int64_t run)
{
    Query select = database.query("SELECT bytes FROM frames WHERE run = ?1 AND first_number = ?2");
    if (!select.bind(run, number_of_events).next()) return std::nullopt;
    return select.text(0);
}

std::vector<std::string> old_frames_after(Database& database, std::int64_t run, std::int64_t after,
                                          std::size_t max_bytes)
{
    Query select = database.query(
        "SELECT first_number, bytes FROM frames WHERE run = ?1 AND first_number >="
        " coalesce((SELECT max(first_number) FROM frames WHERE run = ?1 AND first_number <= ?2), 0)"
        " ORDER BY first_number");
    select.bind(run, after);
    std::vector<std::string> frames;
    std::size_t size = 0;
    while (select.next()) {
        std::int64_t number = select.integer(0);
        for (std::string_view chunk = select.bytes(1); !chunk.empty(); ++number) {
            const std::string_view frame = take_packed(chunk);
            if (number <= after) continue;
            size += frame.size();
            if (!frames.empty() && size > max_bytes) return frames;
            frames.emplace_back(frame);
        }
    }
    return frames;
}

std::size_t forget_events(Database& database, std::int64_t before_ms, std::size_t most)
{
    Query remove = database.query(
        "DELETE FROM frames WHERE run IN (SELECT position FROM runs"
        " WHERE frames_kept = 1 AND kept_since_ms < ?1 ORDER BY kept_since_ms, position LIMIT ?2)");
    remove.bind(before_ms, at_most(most)).run();
    Query update = database.query(
        "UPDATE runs SET frames_kept = 0 WHERE position IN (SELECT position FROM runs"
        " WHERE frames_kept = 1 AND kept_since_ms < ?1 ORDER BY kept_since_ms, position LIMIT ?2)");
    update.bind(before_ms, at_most(most)).run();
    return rows_changed(database);
}

}  // namespace parley::store::sqlite
