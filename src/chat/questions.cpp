#include "chat/questions.hpp"

#include "base/id.hpp"
#include "base/json.hpp"
#include "base/log.hpp"
#include "chat/history.hpp"
#include "chat/images.hpp"
#include "chat/titles.hpp"
#include "engine/tool_text.hpp"
#include "store/refusals.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>

namespace parley::chat {

struct Questions::SessionContext {
    std::optional<store::Session> session;  // Nothing: a new one is to be made.
    store::Message asked_again = {};        // The question that is answered once more.
};

namespace {

// The first event of a run has its whole question, and the journal limits events. Questions of
// this size come with imports, or in large requests.
constexpr std::size_t max_question_bytes = std::size_t{1024} * 1024;

Result<> check_size(const std::vector<std::string>& parts)
{
    std::size_t written = 0;
    for (const std::string& part : parts) written += json::quoted_size(part);
    if (written <= max_question_bytes) return {};
    return Error{Errc::message_too_long, "The message that is to be answered has more than 1 MiB."};
}

// The question that gives a new session its title.
std::vector<std::string> first_question(const Question& question)
{
    const auto first = std::ranges::find_if(question.earlier, [](const engine::Turn& turn) {
        return turn.speaker == Speaker::user && !turn.text.empty();
    });
    std::vector<std::string> parts = *question.parts;
    if (first != question.earlier.end()) parts = {first->text};
    engine::unescape_question(parts);
    if (text_of(parts).empty() && !question.images.empty()) parts = {"Image"};
    return parts;
}

// A question is stored as its user wrote it, so results of calls are marked.
store::Message message_of(Speaker speaker, Content turn, TimePoint now)
{
    store::Message message{.id = new_id("msg", now),
                           .speaker = speaker,
                           .parts = std::move(turn.parts),
                           .images = std::move(turn.images),
                           .created_at = now};
    if (speaker == Speaker::user) {
        message.structured = engine::begins_with_result(text_of(message.parts));
        engine::unescape_question(message.parts);
    }
    return message;
}

// Between the look at the key and this one its run has failed, or it has expired. The next try is
// judged anew.
Error key_was_freed()
{
    return {.code = Errc::conflict,
            .message = "The Idempotency-Key has just become free; send the request again.",
            .retry_after = std::chrono::seconds(1)};
}

// This server was fenced because it did not answer, and has just joined the others again.
Error has_rejoined()
{
    return {.code = Errc::storage_unavailable,
            .message = "The server was not connected to its database; send the request again.",
            .retry_after = std::chrono::seconds(1)};
}

}  // namespace

Result<> Questions::check_shape(const Question& question) const
{
    if (!question.parts && !question.parent)
        return validation_failed(
            {{"#/message", "required",
              "is required, unless parent_message_id names a question to answer again"}});
    return {};
}

Task<Result<Questions::SessionContext>> Questions::resolve_session(const Owner& owner,
                                                                   const Question& question)
{
    SessionContext ground;
    std::optional<std::string> id = question.session;
    if (question.parent && (!id || !question.parts)) {
        auto parent = co_await store_.messages().find_message(owner, *question.parent);
        if (!parent && parent.error().code == Errc::not_found) {
            Error why = co_await why_missing(owner, question);
            if (why.code != Errc::not_found) co_return why;
            // It may have been stored between both looks.
            parent = co_await store_.messages().find_message(owner, *question.parent);
        }
        if (!parent) co_return parent.error();
        if (!id) id = parent->message.session;
        ground.asked_again = std::move(parent->message);
    }
    if (!id) co_return ground;
    auto session = co_await store_.sessions().find_session(owner, *id);
    if (!session) co_return session.error();
    ground.session = std::move(*session);
    co_return ground;
}

// Earlier messages of a session may have images that the model cannot see, but not the question.
Result<> Questions::check_images(const engine::Engine& engine, const Question& question,
                                 const SessionContext& ground)
{
    if (engine.capabilities().vision) return {};
    const bool has_own = !question.images.empty() ||
                         std::ranges::any_of(question.earlier, [](const engine::Turn& turn) {
                             return !turn.images.empty();
                         });
    const bool repeats_some = !question.parts && !ground.asked_again.images.empty();
    if (!has_own && !repeats_some) return {};
    return validation_failed({{has_own ? question.place_of_images : "#/parent_message_id",
                               "unsupported_parameter", "this model does not support images"}});
}

// The parent is not there: perhaps it is an answer that is being written.
Task<Error> Questions::why_missing(const Owner& owner, const Question& question)
{
    auto writing = co_await store_.runs().find_writing_run(owner, *question.parent);
    if (!writing) co_return writing.error();
    if (!question.parts) co_return store::not_a_question();
    auto session = co_await store_.sessions().find_session(owner, writing->whole.run.session);
    if (!session) co_return session.error();
    co_return store::session_is_busy(session->active_runs);
}

Result<std::string> Questions::model_for(const Owner& owner,
                                         const std::optional<std::string>& name) const
{
    std::string wanted = name.value_or(models_.default_name());
    const engine::Engine* engine = models_.find(wanted);
    if (!engine)
        return Error{Errc::unknown_model, "There is no model \"" + wanted + "\" on this server."};
    if (!engine->can_chat())
        return validation_failed(
            {{"#/model", "unsupported_parameter", "this model can only embed texts"}});
    if (owner.test) return std::string(engine::scripted_name);
    return wanted;
}

Task<Result<AcceptedQuestion>> Questions::ask(Owner owner, Question question)
{
    if (runs_.is_closed()) co_return Error{Errc::shutting_down, "The server is shutting down."};
    if (auto shaped = check_shape(question); !shaped) co_return shaped.error();

    // A retry is answered with what there is, whatever has changed since. It needs no place in the
    // queue, and no model.
    if (question.key) {
        auto known = co_await store_.runs().find_replay(owner, *question.key);
        if (!known) co_return known.error();
        if (*known) co_return co_await replay(std::move(**known));
        if (question.must_replay) co_return key_was_freed();
    }
    auto ground = co_await resolve_session(owner, question);
    if (!ground) co_return ground.error();
    std::optional<std::string> wanted = question.model;
    if (!wanted && ground->session) wanted = ground->session->model;
    auto model = model_for(owner, wanted);
    if (!model) co_return model.error();
    engine::Engine& engine = *models_.find(*model);
    if (auto seen = check_images(engine, question, *ground); !seen) co_return seen.error();
    if (auto sized = check_size(question.parts ? *question.parts : ground->asked_again.parts);
        !sized)
        co_return sized.error();
    const std::string instructions =
        all_instructions(question.response.instructions,
                         ground->session ? ground->session->instructions : question.instructions);
    engine::Turn asked = question.parts ? turn_of(Speaker::user, *question.parts, question.images)
                                        : turn_of(ground->asked_again, true);
    auto fits = co_await check_length(engine, std::move(asked), instructions, question.sampling);
    if (!fits) co_return fits.error();
    std::string request_id = question.request_id;
    auto run = new_run(owner, std::move(question), *ground, std::move(*model));
    co_return co_await begin(owner, std::move(run), std::move(request_id));
}

store::NewRun Questions::new_run(const Owner& owner, Question question,
                                 const SessionContext& ground, std::string model) const
{
    const TimePoint now = clock_.now();
    store::NewRun made;
    made.run = {.id = new_id("run", now),
                .owner = owner,
                .session = ground.session ? ground.session->id : "",
                .answer = new_id("msg", now),
                .model = std::move(model),
                .parameters = write_parameters(question.sampling, question.trace, question.timeout,
                                               question.response),
                .metadata = question.metadata,
                .created_at = now,
                .cause = {.request = question.request_id}};
    made.reserved_tokens = question.sampling.max_output_tokens.value_or(0);
    if (question.attempt) {
        made.run.cause.automation = question.automation;
        made.run.cause.automation_run = question.attempt->row;
        made.run.cause.depth = question.attempt->depth;
        made.attempt = std::move(question.attempt);
    }
    if (question.parts) {
        made.title = question.title.empty() ? title_from(first_question(question))
                                            : std::move(question.title);
        made.title_key = title_key(made.title);
        made.question = message_of(Speaker::user,
                                   {std::move(*question.parts), std::move(question.images)}, now);
        made.question->metadata = std::move(question.metadata);
        if (question.parent)
            made.placement = store::ReplyTo{*question.parent};
        else if (question.new_beginning)
            made.placement = store::NewRoot{};
    } else {
        made.placement = store::Regenerate{*question.parent};
    }
    if (!ground.session) {
        for (engine::Turn& turn : question.earlier) {
            const Speaker speaker = turn.speaker;
            made.earlier.push_back(message_of(speaker, content_of(std::move(turn)), now));
        }
        made.new_session = store::Session{.id = new_id("ses", now),
                                          .owner = owner,
                                          .title = made.title,
                                          .title_key = made.title_key,
                                          .instructions = std::move(question.instructions),
                                          .created_at = now,
                                          .updated_at = now};
        if (!question.automation.empty()) made.new_session->automation = question.automation;
        made.run.session = made.new_session->id;
    }
    made.images = std::move(question.new_images);
    made.key = std::move(question.key);
    return made;
}

Task<Result<AcceptedQuestion>> Questions::begin(Owner owner, store::NewRun run,
                                                std::string request_id)
{
    const Executor loop = co_await boost::asio::this_coro::executor;
    const Line line = run.attempt ? Line::automations : Line::people;
    auto entered = co_await runs_.enter(run.run.id, owner, run.run.model, loop, line);
    if (!entered) co_return entered.error();
    if (entered->begins_now) {
        run.run.status = RunStatus::running;
        run.run.started_at = run.run.created_at;
    }
    run.replica = entered->run->replica();
    run.line = std::move(entered->line);
    auto begun = co_await store_.runs().begin_run(std::move(run));
    if (!begun || begun->replayed) {
        runs_.forget(entered->run);
        if (!begun && begun.error().code == Errc::lost_ownership) co_return has_rejoined();
        if (!begun) co_return begun.error();
        co_return co_await replay(std::move(begun->whole));
    }
    log::info("run created", log::kv("run_id", entered->run->id()),
              log::kv("session_id", begun->whole.run.session), log::kv("request_id", request_id),
              log::kv("model", begun->whole.run.model));
    co_return AcceptedQuestion{runs_.begin(entered->run, std::move(*begun))};
}

Task<Result<AcceptedQuestion>> Questions::replay(store::RunWithMessages whole)
{
    auto found = co_await runs_.find(std::move(whole));
    if (!found) co_return found.error();
    co_return AcceptedQuestion{.run = std::move(*found), .replayed = true};
}

}  // namespace parley::chat
