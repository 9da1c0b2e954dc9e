#include "app/model_files.hpp"
#include "base/clock.hpp"
#include "base/visible.hpp"
#include "cli/chat_turn.hpp"
#include "cli/find_user.hpp"
#include "cli/interruption.hpp"
#include "cli/output.hpp"
#include "cli/settings_options.hpp"
#include "http/client/blocking.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace parley::cli {
namespace {

struct Asked {
    std::string message;
    bool goes_on = false;
    std::string user;
    std::string model;
};

constexpr std::chrono::hours token_life{24};

// Whoever talks, by a token that lives as long as the talk.
class TemporaryToken {
public:
    static Result<TemporaryToken> enter(const Common& common, const std::string& name)
    {
        const auto settings = settings_of(common);
        if (!settings) return settings.error();
        if (auto place = place_of_server({settings->data}); !place) return place.error();
        auto reached = reach(common);
        if (!reached) return reached.error();
        auto user = name.empty() ? only_user(*reached) : find_user(*reached, name);
        if (!user) return user.error();
        const std::string place =
            "/v1/api/users/" + boost::json::value_to<std::string>(user->at("id")) + "/tokens";
        const auto made =
            reached->ask("POST", place,
                         {{"name", "parley chat"},
                          {"scopes", {"chat:read", "chat:write"}},
                          {"expires_at", rfc3339(system_clock().now() + token_life)}});
        if (!made) return made.error();
        auto text = boost::json::value_to<std::string>(made->at("token"));
        return TemporaryToken(common, std::move(reached->paths), Secret::taken_from(text),
                              place + "/" + boost::json::value_to<std::string>(made->at("id")));
    }
    TemporaryToken(TemporaryToken&& other) noexcept
        : common_(other.common_),
          paths_(std::move(other.paths_)),
          token_(std::move(other.token_)),
          place_(std::exchange(other.place_, {}))
    {
    }
    TemporaryToken& operator=(TemporaryToken&&) = delete;
    ~TemporaryToken()
    {
        if (place_.empty()) return;
        // Wherever the server is by now; without one, in the store itself.
        if (auto reached = reach(common_)) static_cast<void>(reached->ask("DELETE", place_));
    }

    const app::DataPaths& paths() const { return paths_; }
    const Secret& token() const { return token_; }

private:
    TemporaryToken(const Common& common, app::DataPaths paths, Secret token, std::string place)
        : common_(common),
          paths_(std::move(paths)),
          token_(std::move(token)),
          place_(std::move(place))
    {
    }

    static Result<boost::json::object> only_user(ApiClient& reached)
    {
        std::vector<boost::json::object> users;
        const auto looked =
            for_each_item(reached, "/v1/api/users", 2, [&](const boost::json::object& user) {
                users.push_back(user);
                return true;
            });
        if (!looked) return looked.error();
        if (users.size() == 1) return users.front();
        return Error{Errc::not_found,
                     users.empty()
                         ? "There are no users yet: create one with `parley user add NAME`."
                         : "There are several users: choose one with --user NAME."};
    }

    const Common& common_;
    app::DataPaths paths_;
    Secret token_;
    std::string place_;  // Of the token, to revoke it.
};

// What a terminal would obey is shown instead; line breaks and tabs are text.
void print_text(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\n\t"), text.size());
        std::cout << visible(text.substr(0, end));
        if (end < text.size()) std::cout << text[end];
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::cout.flush();
}

// False once the output is gone.
bool show(const boost::json::object& event, const Common& common)
{
    if (common.json) {
        print_line(event);
        return bool(std::cout.flush());
    }
    const auto& type = event.at("type").as_string();
    if (type == "message.delta") print_text(event.at("delta").at("text").as_string());
    if (type == "run.snapshot" && event.at("message").is_object()) {
        std::cout << '\n';
        for (const auto& part : event.at("message").at("content").as_array())
            print_text(part.at("text").as_string());
    }
    return bool(std::cout);
}

// The session that was active last, if there is one.
Result<std::string> last_session(const TemporaryToken& visitor)
{
    const auto place = place_of_server(visitor.paths());
    if (!place) return place.error();
    http::BlockingClient client({.only_certificate = place->certificate});
    http::ClientRequest request{
        .url = http::Url::parse(place->url + "/v1/api/chat/sessions?limit=1").value()};
    request.fields.push_back({"Authorization", "Bearer " + std::string(visitor.token().reveal())});
    const auto answer = client.send(std::move(request));
    if (!answer) return Error{Errc::internal, "Cannot reach the server: " + answer.error().message};
    boost::system::error_code malformed;
    const auto list = boost::json::parse(answer->body, malformed);
    const auto* data =
        malformed || !list.is_object() ? nullptr : list.as_object().if_contains("data");
    if (answer->status != 200 || !data || !data->is_array())
        return Error{Errc::internal,
                     "The server answered with status " + std::to_string(answer->status) + "."};
    if (data->as_array().empty())
        return Error{Errc::not_found, "There is no session to continue: omit -c."};
    return boost::json::value_to<std::string>(data->at(0).at("id"));
}

// One turn; the session goes on in the next one.
Result<> turn(const Asked& asked, const Common& common, const TemporaryToken& visitor,
              const std::string& message, std::string& session)
{
    boost::json::object body{{"message", message}};
    if (!session.empty()) body["session_id"] = session;
    if (!asked.model.empty()) body["model"] = asked.model;
    ChatTurn one{.paths = visitor.paths(),
                 .token = visitor.token(),
                 .body = std::move(body),
                 .hear = [&](const boost::json::object& event) { return show(event, common); },
                 .tell = [&](const std::string& sentence) { std::cerr << sentence << '\n'; }};
    const auto ended = one.ask();
    if (!ended) return ended.error();
    if (!common.json) std::cout << '\n';
    const bool is_first = session.empty();
    session = boost::json::value_to<std::string>(ended->at("session_id"));
    if (is_first && !common.json && isatty(STDERR_FILENO) != 0 &&
        ended->at("model").as_string() == app::embedded_model)
        std::cerr << "\n" << app::about_embedded_model << "\n";
    if (ended->at("status").as_string() == "failed")
        return Error{Errc::internal,
                     boost::json::value_to<std::string>(ended->at("error").at("detail"))};
    return {};
}

// Whole, without the line break that `echo` adds.
std::string standard_input()
{
    std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

// A pipe or a file has text for the message. Other kinds of input, such as the socket of a service
// manager, may never end.
bool has_piped_input()
{
    struct stat about{};
    return ::fstat(STDIN_FILENO, &about) == 0 &&
           (S_ISFIFO(about.st_mode) || S_ISREG(about.st_mode));
}

// The message of the command line, then the piped text: `git diff | parley chat "Review this"`.
std::string whole_message(const std::string& given)
{
    if (given.empty()) return standard_input();
    if (!has_piped_input()) return given;
    const std::string piped = standard_input();
    return piped.empty() ? given : given + "\n\n" + piped;
}

// At the prompt; false at its end, or after an interruption.
bool next_line(std::string& line)
{
    std::cout << "> " << std::flush;
    return std::cout && Interruption::waits_for_input(STDIN_FILENO) && std::getline(std::cin, line);
}

// Until the input ends, or Ctrl-C at the prompt. Returns the exit code.
int converse(const Asked& asked, const Common& common, const TemporaryToken& visitor,
             std::string session)
{
    for (std::string line; next_line(line);) {
        if (line.empty()) continue;
        if (const auto done = turn(asked, common, visitor, line, session); !done)
            std::cerr << done.error().message << '\n';
        Interruption::forget();  // It stopped the answer, not the conversation.
    }
    std::cout << '\n';
    return Interruption::was_asked_for() ? interrupted : succeeded;
}

// Returns the exit code.
Result<int> talk(const Asked& asked, const Common& common)
{
    const bool converses = asked.message.empty() && isatty(STDIN_FILENO) != 0;
    const std::string message = converses ? std::string() : whole_message(asked.message);
    if (message.empty() && !converses)
        return Error{Errc::invalid_request, "The message is empty: give a message."};
    const Interruption interruption;
    auto visitor = TemporaryToken::enter(common, asked.user);
    if (!visitor) return visitor.error();
    std::string session;
    if (asked.goes_on) {
        auto last = last_session(*visitor);
        if (!last) return last.error();
        session = std::move(*last);
    }
    if (converses) return converse(asked, common, *visitor, std::move(session));
    const auto done = turn(asked, common, *visitor, message, session);
    if (Interruption::was_asked_for()) return interrupted;
    if (!done) return done.error();
    return succeeded;
}

}  // namespace

Run describe_chat(CLI::App& command, const Common& common)
{
    const auto asked = std::make_shared<Asked>();
    command.add_option("MESSAGE", asked->message,
                       "Message; piped text is added to it. Without both, read line by line");
    command.add_flag("-c,--continue", asked->goes_on, "Continue the last session");
    command.add_option("--user", asked->user, "User to chat as [the only user]")->type_name("NAME");
    command.add_option("--model", asked->model, "Model [the session's or the default]")
        ->type_name("NAME");
    command.footer(
        "Connects to the server that runs on the data directory. Ctrl-C stops an answer.\n\n"
        "Examples:\n"
        "  parley chat \"What is the capital of France?\"\n"
        "  parley chat -c \"And of Italy?\"\n"
        "  git diff | parley chat \"Review this change\"\n"
        "  parley chat --user ana --json < question.txt");
    return [asked, &common] {
        const auto done = talk(*asked, common);
        return done ? *done : complain(done.error().message, failed, common);
    };
}

}  // namespace parley::cli
