#include "store/sqlite/run_rows.hpp"

#include "store/sqlite/people.hpp"
#include "store/sqlite/time.hpp"

namespace parley::store::sqlite {

KeptRun run_of(const Query& row)
{
    KeptRun kept{.position = row.integer(0),
                 .session = row.integer(1),
                 .question = row.integer(2),
                 .frames_kept = row.integer(19) != 0,
                 .run = {.id = row.text(3),
                         .owner = {row.text(4), row.integer(5) != 0},
                         .session = row.text(6),
                         .question = row.text(7),
                         .answer = row.text(8),
                         .model = row.text(9),
                         .parameters = row.text(22),
                         .metadata = metadata_of(row.bytes(21)),
                         .status = named<RunStatus>(row.bytes(10)),
                         .created_at = from_ms(row.integer(11)),
                         .started_at = time_of(row, 12),
                         .completed_at = time_of(row, 13),
                         .error = row.text(20),
                         .history_from = row.integer(17),
                         .last_number = row.integer(18),
                         .kept_since = time_of(row, 24),
                         .frees_key = row.integer(23) != 0}};
    if (!row.is_null(14)) kept.run.usage = {row.integer(14), row.integer(15), row.integer(16)};
    return kept;
}

std::optional<KeptRun> find_run(Database& database, const std::string& id)
{
    Query select =
        database.query("SELECT " RUN_COLUMNS " FROM runs" JOIN_RUNS " WHERE runs.id = ?1");
    if (!select.bind(id).next()) return std::nullopt;
    return run_of(select);
}

std::optional<KeptRun> find_writing_run(Database& database, const Owner& owner,
                                        const std::string& message)
{
    Query select = database.query("SELECT " RUN_COLUMNS " FROM runs" JOIN_RUNS
                                  " WHERE runs.answer = ?1 AND runs.completed_ms IS NULL"
                                  " AND sessions.user = ?2 AND sessions.test = ?3");
    if (!select.bind(message, owner.user, owner.test).next()) return std::nullopt;
    return run_of(select);
}

RunWithMessages whole(Database& database, KeptRun kept)
{
    KeptMessage question = message_at(database, kept.question);
    RunWithMessages whole{std::move(kept.run), std::move(question.message), std::nullopt};
    if (has_ended(whole.run.status))
        if (auto answer = find_message(database, whole.run.answer))
            whole.answer = std::move(answer->message);
    return whole;
}

}  // namespace parley::store::sqlite
