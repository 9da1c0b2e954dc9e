#include "store/sql/run_rows.hpp"

#include "base/json.hpp"

#include <boost/json/object.hpp>

namespace parley::store::sql {

namespace {

struct RunColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::int64_t> session{*in, "session"};
    Column<std::int64_t> question{*in, "question"};
    Column<std::string> id{*in, "id"};
    Column<std::string> user{*in, "of_user"};
    Column<bool> test{*in, "test"};
    Column<std::string> session_id{*in, "session_id"};
    Column<std::string> question_id{*in, "question_id"};
    Column<std::string> answer{*in, "answer"};
    Column<std::string> model{*in, "model"};
    Column<RunStatus> status{*in, "status"};
    Column<TimePoint> created_at{*in, "created_ms"};
    Column<std::optional<TimePoint>> started_at{*in, "started_ms"};
    Column<std::optional<TimePoint>> completed_at{*in, "completed_ms"};
    Column<std::optional<std::int64_t>> input_tokens{*in, "input_tokens"};
    Column<std::int64_t> output_tokens{*in, "output_tokens"};
    Column<std::int64_t> cached_input_tokens{*in, "cached_input_tokens"};
    Column<std::int64_t> history_from{*in, "history_from"};
    Column<std::int64_t> last_number{*in, "last_number"};
    Column<bool> frames_kept{*in, "frames_kept"};
    Column<std::string_view> error{*in, "error"};
    Column<std::string_view> metadata{*in, "metadata"};
    Column<std::string> parameters{*in, "parameters"};
    Column<bool> frees_key{*in, "frees_key"};
    Column<std::optional<TimePoint>> kept_since{*in, "kept_since_ms"};
    Column<std::string> request{*in, "request"};
    Column<std::string> automation_run{*in, "automation_run"};
};

struct UnfinishedColumns {
    const Statement* in;
    Column<std::int64_t> replica{*in, "replica"};
    Column<std::int64_t> owner{*in, "owner"};
    Column<std::int64_t> branch{*in, "question_branch"};
    Column<std::int64_t> depth{*in, "question_depth"};
    Column<bool> ends_branch{*in, "ends_branch"};
    Column<bool> has_answer{*in, "has_answer"};
};

std::string text_in(const boost::json::object& object, std::string_view name)
{
    const auto* value = object.if_contains(name);
    return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

}  // namespace

// Version 0.1 stored the whole problem, which has the same fields and more.
std::optional<RunError> error_of(std::string_view text)
{
    if (text.empty()) return std::nullopt;
    const auto parsed = json::parse(text);
    if (!parsed || !parsed->is_object()) throw damage("the error of a run is no object");
    const auto& object = parsed->get_object();
    RunError error{.code = text_in(object, "code"), .detail = text_in(object, "detail")};
    if (const auto* wait = object.if_contains("retry_after"); wait && wait->is_int64())
        error.retry_after = std::chrono::seconds(wait->get_int64());
    return error;
}

std::string error_text(const std::optional<RunError>& error)
{
    if (!error) return {};
    std::string text = R"({"code":)";
    json::append_quoted(text, error->code);
    text += R"(,"detail":)";
    json::append_quoted(text, error->detail);
    if (error->retry_after)
        text += R"(,"retry_after":)" + std::to_string(error->retry_after->count());
    return text + "}";
}

KeptRun run_of(const Query& row)
{
    const auto& at = row.columns<RunColumns>();
    KeptRun kept{
        .position = row[at.position],
        .session = row[at.session],
        .question = row[at.question],
        .frames_kept = row[at.frames_kept],
        .run = {.id = row[at.id],
                .owner = {row[at.user], row[at.test]},
                .session = row[at.session_id],
                .question = row[at.question_id],
                .answer = row[at.answer],
                .model = row[at.model],
                .parameters = row[at.parameters],
                .metadata = metadata_of(row[at.metadata]),
                .status = row[at.status],
                .created_at = row[at.created_at],
                .started_at = row[at.started_at],
                .completed_at = row[at.completed_at],
                .error = error_of(row[at.error]),
                .history_from = row[at.history_from],
                .last_number = row[at.last_number],
                .kept_since = row[at.kept_since],
                .frees_key = row[at.frees_key],
                .cause = {.request = row[at.request], .automation_run = row[at.automation_run]}}};
    if (const auto input = row[at.input_tokens])
        kept.run.usage = {*input, row[at.output_tokens], row[at.cached_input_tokens]};
    return kept;
}

std::optional<KeptRun> find_run(Connection& connection, const std::string& id)
{
    Query select =
        connection.query("SELECT " RUN_COLUMNS " FROM runs" JOIN_RUNS " WHERE runs.id = ?1");
    if (!select.bind(id).next()) return std::nullopt;
    return run_of(select);
}

std::optional<UnfinishedRun> find_unfinished(Connection& connection, const std::string& id)
{
    Query select = connection.query("SELECT " RUN_COLUMNS
                                    ", runs.replica, runs.owner, questions.branch AS"
                                    " question_branch, questions.depth AS question_depth,"
                                    " CASE WHEN EXISTS (SELECT 1 FROM messages AS below"
                                    " WHERE below.branch = questions.branch"
                                    " AND below.depth = questions.depth + 1)"
                                    " THEN 0 ELSE 1 END AS ends_branch,"
                                    " CASE WHEN EXISTS (SELECT 1 FROM messages AS answers"
                                    " WHERE answers.id = runs.answer)"
                                    " THEN 1 ELSE 0 END AS has_answer"
                                    " FROM runs" JOIN_RUNS " WHERE runs.id = ?1");
    if (!select.bind(id).next()) return std::nullopt;
    const auto& at = select.columns<UnfinishedColumns>();
    UnfinishedRun found{
        .kept = run_of(select), .replica = select[at.replica], .owner = select[at.owner]};
    found.question = {.position = found.kept.question,
                      .branch = select[at.branch],
                      .ends_branch = select[at.ends_branch]};
    found.question.message.depth = select[at.depth];
    found.has_answer = select[at.has_answer];
    return found;
}

std::optional<KeptRun> find_writing_run(Connection& connection, const Owner& owner,
                                        const std::string& message)
{
    Query select =
        connection.query("SELECT " RUN_COLUMNS " FROM runs" JOIN_RUNS " WHERE runs.answer = ?1");
    if (!select.bind(message).next()) return std::nullopt;
    KeptRun found = run_of(select);
    if (found.run.owner != owner || has_ended(found.run.status)) return std::nullopt;
    return found;
}

RunWithMessages whole(Connection& connection, KeptRun kept)
{
    KeptMessage question = message_at(connection, kept.question);
    RunWithMessages whole{std::move(kept.run), std::move(question.message), std::nullopt};
    if (has_ended(whole.run.status))
        if (auto answer = find_message(connection, whole.run.answer))
            whole.answer = std::move(answer->message);
    return whole;
}

}  // namespace parley::store::sql
