#include "api/stored_completion.hpp"

#include "api/run_answers.hpp"
#include "chat/history.hpp"
#include "chat/parameters.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace parley::api {
namespace {

// Longer than any run may take.
constexpr std::chrono::hours no_hurry{24};

Error shutting_down() { return {Errc::shutting_down, "The server is shutting down."}; }

// A chunk cannot replace what was sent.
Error text_was_lost()
{
    return {Errc::storage_unavailable,
            "A part of this answer was lost and is written again; repeat the request with the same "
            "Idempotency-Key."};
}

// Gives the same ids to each client that requests the same run.
CompletionWriter writer_for(const store::RunWithMessages& whole, const engine::Models& models)
{
    const std::string_view name = whole.run.id;
    CompletionWriter writer("chatcmpl-" + std::string(name.substr(name.find('_') + 1)),
                            whole.run.created_at, whole.run.model);
    Metadata metadata = whole.run.metadata;
    metadata["session_id"] = whole.run.session;
    metadata["run_id"] = whole.run.id;
    writer.set_metadata(std::move(metadata));
    const auto sampling = chat::read_parameters(whole.run.parameters);
    const engine::Engine* engine = models.find(whole.run.model);
    if (sampling && engine) writer.expect_calls(sampling->tools, engine->tool_use());
    return writer;
}

std::string text_of(const store::RunWithMessages& whole)
{
    return whole.answer ? chat::text_of(whole.answer->parts) : std::string();
}

StopReason reason_of(const store::RunWithMessages& whole)
{
    return whole.answer ? whole.answer->stop_reason.value_or(StopReason::end_turn)
                        : StopReason::end_turn;
}

// The error for a run that was not completed; nothing for one that was.
std::optional<Error> error_of_end(const store::RunWithMessages& whole, bool replayed,
                                  CommonHeaders& common_headers)
{
    if (whole.run.status == RunStatus::failed) {
        Error error = error_of(whole.run, replayed);
        if (!text_of(whole).empty()) discourage_retry(error, common_headers);
        return error;
    }
    if (whole.run.status == RunStatus::completed) return std::nullopt;
    const bool cancelled = whole.run.status == RunStatus::cancelled;
    Error error{cancelled ? Errc::run_cancelled : Errc::run_interrupted,
                cancelled ? "The run was cancelled before the answer was complete."
                          : "The server stopped before the answer was complete."};
    error.extra = {{"run_id", whole.run.id}, {"session_id", whole.run.session}};
    common_headers.add("x-should-retry", "false");
    return error;
}

Task<Result<CompletionAnswer>> answer_whole(chat::AcceptedQuestion asked,
                                            const engine::Models& models, CompletionClient& client)
{
    if (asked.run.was_running()) {
        const auto waited = co_await wait_for_end(client.stream.rights(), asked.run, no_hurry);
        if (!waited) co_return waited.error();
    }
    const auto now = asked.run.whole();
    const store::RunWithMessages& whole = *now;
    if (!has_ended(whole.run.status)) co_return shutting_down();
    if (auto error = error_of_end(whole, asked.replayed, client.common_headers)) co_return *error;
    co_return CompletionAnswer{json_response(
        200, writer_for(whole, models)
                 .whole(text_of(whole), reason_of(whole), whole.run.usage.value_or(Usage())))};
}

// Sends the deltas of a run as chunks, as they arrive.
class Chunks {
public:
    Chunks(CompletionWriter writer, CompletionClient& client)
        : writer_(std::move(writer)), client_(client)
    {
        if (client.includes_usage) writer_.include_usage();
    }

    // Before the first chunk, a failure can still be sent as an error response.
    bool has_begun() const { return stream_ != nullptr; }
    bool has_disconnected() const { return has_disconnected_; }
    void on_disconnect(std::function<void()> callback) { callback_ = std::move(callback); }

    Task<bool> add(std::vector<std::string> deltas)
    {
        if (deltas.empty()) co_return true;
        co_return co_await send(writer_.pieces(deltas));
    }
    Task<> end(const store::RunWithMessages& whole)
    {
        co_await finish(writer_.end(reason_of(whole), whole.run.usage.value_or(Usage())));
    }
    // Returns the error if it can still be sent as a response.
    Task<Result<CompletionAnswer>> fail(Error error)
    {
        if (!has_begun()) co_return error;
        co_await finish(CompletionWriter::failure(error));
        co_return CompletionAnswer();
    }

private:
    Task<> open()
    {
        if (stream_) co_return;
        stream_ = co_await OpenCompletion::open(client_, [this] {
            has_disconnected_ = true;
            if (callback_) callback_();
        });
    }
    Task<bool> send(http::Frame frame)
    {
        co_await open();
        co_return co_await stream_->send(std::move(frame));
    }
    Task<> finish(http::Frame last)
    {
        co_await open();
        co_await stream_->finish(std::move(last));
    }

    CompletionWriter writer_;
    CompletionClient& client_;
    std::function<void()> callback_;
    bool has_disconnected_ = false;
    std::unique_ptr<OpenCompletion> stream_;
};

Task<Result<CompletionAnswer>> end_chunks(Chunks& chunks, const store::RunWithMessages& whole,
                                          bool replayed, CommonHeaders& common_headers)
{
    if (auto error = error_of_end(whole, replayed, common_headers))
        co_return co_await chunks.fail(std::move(*error));
    co_await chunks.end(whole);
    co_return CompletionAnswer();
}

// For a run that ended earlier.
Task<Result<CompletionAnswer>> repeat(chat::AcceptedQuestion asked, const engine::Models& models,
                                      CompletionClient& client)
{
    const auto ended = asked.run.whole();
    const store::RunWithMessages& whole = *ended;
    std::vector<std::string> text;
    if (std::string said = text_of(whole); !said.empty()) text.push_back(std::move(said));
    // Three copies: the stored text, the delta and its chunk.
    const auto charge = client.stream.charge(text.empty() ? 0 : 3 * text.front().size());
    if (!charge) co_return charge.error();
    Chunks chunks(writer_for(whole, models), client);
    if (!co_await chunks.add(std::move(text))) co_return CompletionAnswer();
    co_return co_await end_chunks(chunks, whole, asked.replayed, client.common_headers);
}

Task<Result<CompletionAnswer>> follow(const chat::AcceptedQuestion& asked, Chunks& chunks,
                                      CompletionClient& client)
{
    chat::EventReader reader =
        asked.run.read(0, [&](std::size_t bytes) { return client.stream.charge(bytes); });
    chunks.on_disconnect([&reader] { reader.give_up(); });
    for (;;) {
        auto batch = co_await reader.next();
        if (chunks.has_disconnected()) co_return CompletionAnswer();
        if (!batch) co_return co_await chunks.fail(batch.error());
        std::vector<std::string> deltas;
        for (const RunEvent& event : batch->events) {
            if (event.type == RunEvent::Type::snapshot)
                co_return co_await chunks.fail(text_was_lost());
            if (event.type == RunEvent::Type::delta) deltas.push_back(*event.bytes);
        }
        if (!co_await chunks.add(std::move(deltas))) co_return CompletionAnswer();
        if (batch->was_suspended) {
            if (!chunks.has_begun()) co_return shutting_down();
            co_return CompletionAnswer();  // Unfinished, so the connection is cut.
        }
        if (batch->is_last)
            co_return co_await end_chunks(chunks, *asked.run.whole(), asked.replayed,
                                          client.common_headers);
    }
}

}  // namespace

Task<Result<CompletionAnswer>> complete_stored(chat::Questions& questions,
                                               const engine::Models& models,
                                               chat::Question question, CompletionClient client)
{
    auto asked = co_await questions.ask(owner_of(client.caller), std::move(question));
    if (!asked) co_return asked.error();
    client.body.shrink_to(0);
    client.common_headers.add_run(asked->run.id(), asked->replayed);
    if (!client.streamed) co_return co_await answer_whole(std::move(*asked), models, client);
    if (!asked->run.was_running()) co_return co_await repeat(std::move(*asked), models, client);
    Chunks chunks(writer_for(*asked->run.whole(), models), client);
    co_return co_await follow(*asked, chunks, client);
}

}  // namespace parley::api
