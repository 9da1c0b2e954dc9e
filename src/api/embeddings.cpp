// POST /v1/embeddings: vectors of texts, with the API of OpenAI.
#include "api/api.hpp"
#include "api/completion_answer.hpp"
#include "api/embedding_writer.hpp"
#include "api/openai_error.hpp"
#include "api/relayed_completion.hpp"
#include "api/run_answers.hpp"
#include "base/id.hpp"
#include "base/timer.hpp"
#include "chat/queue_place.hpp"
#include "engine/embedder.hpp"
#include "engine/models.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

namespace parley::api {

struct EmbeddingAnswer {
    http::Response response = {};
};

namespace detail {

template <>
struct ResponseTraits<EmbeddingAnswer> {
    static constexpr int status = 200;
    static boost::json::object schema()
    {
        return fields::schema<EmbeddingList>(fields::Direction::response);
    }
    static http::Response response(EmbeddingAnswer answer) { return std::move(answer.response); }
};

}  // namespace detail

namespace {

// 2,048 vectors of 3,072 numbers in base64, which OpenAI's clients request.
constexpr std::size_t max_relayed_answer = std::size_t{34} * 1024 * 1024;

// Numbers to write before other requests of this loop get their turn: about a millisecond.
constexpr std::size_t numbers_at_once = 16'384;

Result<EmbeddingAnswer> as_embeddings(Result<CompletionAnswer> answer)
{
    if (!answer) return answer.error();
    return EmbeddingAnswer{std::move(answer->response)};
}

Error cannot_embed(const engine::Models& models, const std::string& name)
{
    std::string others;
    for (const std::string& each : models.listed())
        if (models.find(each)->capabilities().embeddings)
            others.append(others.empty() ? "; these can: " : ", ").append(each);
    return validation_failed({{"#/model", std::string(unsupported_parameter),
                               "the model \"" + name + "\" cannot embed texts" + others}});
}

// In test mode the scripted model replaces all others, and it cannot embed.
Result<std::string> embedding_model(const engine::Models& models, const Owner& owner,
                                    const std::optional<std::string>& name)
{
    std::string wanted = name.value_or(models.default_name());
    if (!models.find(wanted))
        return Error{Errc::unknown_model, "There is no model \"" + wanted + "\" on this server."};
    if (owner.test) wanted = engine::scripted_name;
    engine::Engine& engine = *models.find(wanted);
    if (!engine.embedder() && !engine.relay()) return cannot_embed(models, wanted);
    return wanted;
}

Result<> check_input_lengths(const engine::TokenLists& lists, bool is_list, std::int64_t context)
{
    Faults faults;
    for (std::size_t i = 0; i < lists.size() && faults.size() < max_faults; ++i) {
        const std::string at = is_list ? "#/input/" + std::to_string(i) : "#/input";
        if (lists[i].empty())
            return validation_failed({{at, "too_short", "has no text that this model can read"}});
        if (lists[i].size() > static_cast<std::size_t>(context))
            faults.push_back({at, "too_long",
                              "This model's maximum context length is " + std::to_string(context) +
                                  " tokens, and this text has more."});
    }
    if (faults.empty()) return {};
    // OpenAI's clients recognise this error by its code.
    return Error{.code = Errc::message_too_long,
                 .message = faults.front().detail,
                 .faults = std::move(faults)};
}

std::size_t tokens_in(const engine::TokenLists& lists)
{
    std::size_t count = 0;
    for (const auto& list : lists) count += list.size();
    return count;
}

// Shared with the timer, whose last call may come after the end of the request.
struct EmbeddingWork {
    std::unique_ptr<engine::Embedding> embedding;
    bool has_disconnected = false;
    bool is_late = false;
};

void limit_embedding_time(Timer& timer, std::chrono::seconds most,
                          const std::shared_ptr<EmbeddingWork>& work)
{
    timer.expires_after(most);
    timer.async_wait([weak = std::weak_ptr(work)](boost::system::error_code cancelled) {
        const auto work = weak.lock();
        if (cancelled || !work) return;
        work->is_late = true;
        work->embedding->stop();
    });
}

Task<EmbeddingAnswer> write_embeddings(engine::Vectors vectors, const EmbeddingBody& body,
                                       const std::string& model, std::int64_t tokens)
{
    const Executor loop = co_await boost::asio::this_coro::executor;
    std::string list = begin_embeddings();
    std::size_t written = 0;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        std::vector<float> vector = std::move(vectors[i]);
        if (body.dimensions && static_cast<std::size_t>(*body.dimensions) < vector.size()) {
            vector.resize(static_cast<std::size_t>(*body.dimensions));
            engine::normalize(vector);
        }
        append_embedding(list, i, vector, body.encoding_format.value_or(EmbeddingFormat::floats));
        written += vector.size();
        if (written < numbers_at_once) continue;
        written = 0;
        co_await boost::asio::post(loop, awaiting);
    }
    end_embeddings(list, model, tokens);
    co_return EmbeddingAnswer{json_response(200, std::move(list))};
}

// By a model in this process. Ends when the client disconnects.
Task<Result<EmbeddingAnswer>> embed_here(chat::Runs& runs, engine::Engine& engine,
                                         std::string model, EmbeddingBody body,
                                         CompletionClient client)
{
    engine::Embedder& embedder = *engine.embedder();
    engine::TokenLists lists = co_await embedder.tokenize(std::move(body.input.texts));
    if (auto fits = check_input_lengths(lists, body.input.is_list, engine.context()); !fits)
        co_return fits.error();
    const std::size_t tokens = tokens_in(lists);
    client.body.shrink_to(tokens * sizeof(std::int32_t));
    const auto place = co_await chat::QueuePlace::take(runs, owner_of(client.caller), model,
                                                       new_id("emb", client.clock.now()));
    if (!place) co_return place.error();
    const auto work = std::make_shared<EmbeddingWork>(embedder.prepare(std::move(lists)));
    const auto watch = co_await ClientWatch::begin(client, [&] {
        work->has_disconnected = true;
        (*place)->withdraw();
        work->embedding->stop();
    });
    if (!co_await (*place)->turn() || work->has_disconnected)
        co_return as_embeddings(watch->disconnect_response());
    Timer timer(co_await boost::asio::this_coro::executor);
    limit_embedding_time(timer, runs.options().timeout, work);
    auto vectors = co_await work->embedding->finish();
    if (work->has_disconnected) co_return as_embeddings(watch->disconnect_response());
    if (work->is_late) {
        const Error late{Errc::upstream_timeout,
                         "The embeddings took longer than this server allows."};
        discourage_retry(late, client.common_headers);
        co_return late;
    }
    if (!vectors) co_return vectors.error();
    (*place)->used({.input_tokens = static_cast<std::int64_t>(tokens)});
    co_return co_await write_embeddings(std::move(*vectors), body, model,
                                        static_cast<std::int64_t>(tokens));
}

// By a model on another server: the request is passed on unchanged.
Task<Result<EmbeddingAnswer>> relay_embeddings(chat::Runs& runs, engine::Relay& relay,
                                               std::string model, std::string body,
                                               CompletionClient client)
{
    const auto place = co_await chat::QueuePlace::take(runs, owner_of(client.caller), model,
                                                       new_id("emb", client.clock.now()));
    if (!place) co_return place.error();
    engine::RelayedRequest request{.body = std::move(body),
                                   .model = std::move(model),
                                   .trace = client.trace,
                                   .path = std::string(engine::embeddings_path),
                                   .max_answer = max_relayed_answer};
    co_return as_embeddings(co_await complete_relayed(relay, **place, std::move(request),
                                                      RelayedFormat(boost::json::value()), client));
}

Task<Result<EmbeddingAnswer>> create_embedding(chat::Runs& runs, const engine::Models& models,
                                               CompletionClient client,
                                               UnreadBody<EmbeddingBody> unread)
{
    Faults faults;
    const auto way =
        fields::read<EmbeddingRoute>(unread.json, faults, fields::UnknownFields::ignored);
    if (!faults.empty()) co_return validation_failed(std::move(faults));
    auto model = embedding_model(models, owner_of(client.caller), way.model);
    if (!model) co_return model.error();
    engine::Engine& engine = *models.find(*model);
    if (engine::Relay* other = engine.relay()) {
        unread.json = nullptr;
        co_return co_await relay_embeddings(runs, *other, std::move(*model), std::move(unread.text),
                                            client);
    }
    unread.text = {};
    auto body = unread.read(faults);
    const std::int64_t most = engine.embedder()->dimensions();
    if (body.dimensions.value_or(1) > most)
        faults.push_back({"#/dimensions", "out_of_range",
                          "must be at most " + std::to_string(most) + " for this model"});
    if (!faults.empty()) co_return validation_failed(std::move(faults));
    unread.json = nullptr;
    co_return co_await embed_here(runs, engine, std::move(*model), std::move(body), client);
}

}  // namespace

std::vector<Route> embedding_routes()
{
    return {route<create_embedding>(
        "POST", "/v1/embeddings", "createEmbedding", "Embed texts", lenient, openai_errors,
        large_body, CountedAs{.of = limits::Class::chat},
        description(
            "For OpenAI's clients. A vector says what its text means: texts with similar meanings "
            "have similar vectors. Only models whose `capabilities` have `embeddings` can. "
            "Nothing is stored, and a client that disconnects cancels its request. A request for "
            "an upstream model is passed on unchanged."),
        may_fail(Errc::unknown_model, Errc::message_too_long, Errc::upstream_error,
                 Errc::upstream_timeout, Errc::model_unavailable))};
}

}  // namespace parley::api
