#include "api/run_answers.hpp"

#include "api/problem.hpp"
#include "api/sample.hpp"
#include "api/wire/event_schema.hpp"
#include "chat/events.hpp"
#include "fields/write.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/json/serialize.hpp>

#include <charconv>
#include <utility>

namespace parley::api {
namespace {

// Stops the reader if the stream ends first, and ends that link if the reader is done first.
class Reading {
public:
    Reading(http::EventStream& events, chat::EventReader& reader) : events_(events)
    {
        events.when_ended([&reader] { reader.give_up(); });
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    ~Reading() { events_.when_ended(nullptr); }

private:
    http::EventStream& events_;
};

// A large frame is shared with other readers, so it is not copied. False if the stream has ended.
bool begin_with_retry(http::EventStream& events, chat::Frame& frame)
{
    constexpr std::size_t large = std::size_t{4} * 1024;
    if (frame->size() > large) return events.offer(chat::retry_line());
    frame = std::make_shared<const std::string>(*chat::retry_line() + *frame);
    return true;
}

Task<Result<>> pass_on(http::EventStream& events, chat::EventReader& reader, std::string answer)
{
    const Reading reading(events, reader);
    // Sends the head at once: the next event may take long.
    static const http::Frame comment = std::make_shared<const std::string>(": ping\n\n");
    if (reader.is_up_to_date() && !co_await events.send(comment)) co_return Result<>();
    for (bool is_first = true;;) {
        auto batch = co_await reader.next();
        if (!batch) co_return batch.error();
        for (const RunEvent& event : batch->events) {
            chat::Frame frame = chat::frame_of(event, answer);
            if (std::exchange(is_first, false) && !begin_with_retry(events, frame))
                co_return Result<>();
            // A client that does not keep up with new events is cut, and resumes. Older events are
            // read as fast as the client takes them.
            const bool goes_on = batch->is_live ? events.offer(std::move(frame))
                                                : co_await events.send(std::move(frame));
            if (!goes_on) co_return Result<>();
        }
        // Lets other tasks of this loop run: a fast client can take all older events at once.
        if (!batch->is_live)
            co_await boost::asio::post(co_await boost::asio::this_coro::executor, awaiting);
        if (batch->was_suspended && !events.started())
            co_return Error{Errc::shutting_down, "The server is shutting down."};
        if (batch->was_suspended) events.cut();
        if (batch->is_last || batch->was_suspended) co_return Result<>();
    }
}

boost::json::object sample_of_event(std::string_view type)
{
    const auto schema = event_schema();
    for (const auto& event : schema.at("oneOf").as_array())
        if (event.at("properties").at("type").at("enum").at(0).as_string() == type)
            return sample_of(event.as_object(), fields::Direction::response).as_object();
    return {};
}

// The run as it is before its answer.
void make_new(boost::json::object& run)
{
    run["status"] = "queued";
    run["message"] = nullptr;
    run["usage"] = nullptr;
}

// A complete stream with a short answer.
std::string example_of_stream()
{
    std::string stream;
    int number = 0;
    for (const std::string_view type : {"run.created", "message.delta", "run.completed"}) {
        auto event = sample_of_event(type);
        event["sequence_number"] = ++number;
        if (type == "run.created") make_new(event["run"].as_object());
        stream.append("id: ").append(std::to_string(number)).append("\nevent: ").append(type);
        stream.append("\ndata: ").append(boost::json::serialize(event)).append("\n\n");
    }
    return stream;
}

}  // namespace

Owner owner_of(const SignedIn& caller)
{
    return {.user = caller->user, .test = caller->kind == auth::TokenKind::test};
}

std::string path_of_run(const std::string& run) { return "/v1/api/chat/runs/" + run; }

RunAnswer run_answer(int status, const RunView& run)
{
    RunAnswer answer{json_response(status, fields::write(run))};
    if (status == 202) answer.response.fields.add("Location", path_of_run(run.id));
    return answer;
}

Result<RunAnswer> end_answer(const chat::RunHandle& run, bool replayed)
{
    const RunView shown = run.view();
    if (shown.status == RunStatus::failed) return error_of(run.whole()->run, replayed);
    return run_answer(200, shown);
}

Error error_of(const store::Run& run, bool replayed)
{
    const RunError stored = run.error.value_or(RunError());
    const Problem* problem = find_problem(stored.code);
    Error error{problem ? problem->errc : Errc::internal, stored.detail};
    error.retry_after = replayed ? never_again : stored.retry_after;
    error.extra = {{"run_id", run.id}, {"session_id", run.session}};
    return error;
}

Result<std::int64_t> last_seen(const http::RequestHead& head,
                               const std::optional<std::string>& otherwise)
{
    std::string text = otherwise.value_or("0");
    if (const auto field = head.field("last-event-id"); field) text = *field;
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    constexpr std::int64_t largest = (std::int64_t{1} << 53) - 1;
    if (fault != std::errc() || end != text.data() + text.size() || number < 0 || number > largest)
        return invalid_request("The number of the last event must be a whole number, 0 or more.");
    return number;
}

Task<Result<RunAnswer>> send_run(Stream stream, chat::RunHandle run, std::int64_t after)
{
    if (run.ends_with(after)) co_return RunAnswer{{.status = 204, .fields = {}, .body = {}}};
    http::EventStream* events = co_await stream.open();
    if (!events) co_return RunAnswer();  // HEAD.
    std::string answer = run.whole()->run.answer;
    chat::EventReader reader =
        std::move(run).read(after, [&](std::size_t bytes) { return stream.charge(bytes); });
    auto sent = co_await pass_on(*events, reader, std::move(answer));
    if (!sent) co_return sent.error();
    co_return RunAnswer();
}

Task<Result<bool>> wait_for_end(CallerRights rights, chat::RunHandle run,
                                std::chrono::milliseconds patience)
{
    bool lost_rights = false;
    const auto waiter = run.waiter();
    const auto entry = co_await rights.watch([&] {
        lost_rights = true;
        run.give_up(waiter);
    });
    auto ended = co_await run.wait_for_end(patience, waiter);
    // If the user was deleted, the run may end before the token is known to be revoked.
    if (lost_rights || co_await rights.were_lost()) co_return auth::invalid_token();
    co_return ended;
}

DocumentedResponse documented_run(int status, std::string meaning,
                                  std::vector<std::string> sent_fields)
{
    return {.status = status,
            .meaning = std::move(meaning),
            .media_type = "application/json",
            .schema = fields::schema<RunView>(fields::Direction::response),
            .sent_fields = std::move(sent_fields)};
}

DocumentedResponse documented_stream()
{
    return {.meaning =
                "As events: the text is the concatenation of the deltas. While idle, a comment is "
                "sent every 15 seconds.",
            .media_type = "text/event-stream",
            .schema = event_stream_schema(event_schema()),
            .example = example_of_stream()};
}

}  // namespace parley::api
