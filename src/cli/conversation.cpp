#include "cli/conversation.hpp"

#include "app/version.hpp"
#include "base/escape_control.hpp"
#include "cli/interruption.hpp"
#include "cli/line_editor.hpp"
#include "cli/output.hpp"
#include "cli/terminal_text.hpp"
#include "models/model_files.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <iostream>
#include <unistd.h>

namespace parley::cli {
namespace {

constexpr std::string_view help =
    "/new            Begin a new session.\n"
    "/model          List the models.\n"
    "/model NAME     Use this model from the next message on.\n"
    "/help           Show this list.\n"
    "/exit           Exit. Ctrl-D exits, too.\n"
    "Ctrl-C stops an answer. Ctrl-C at an empty prompt exits.\n"
    "Up and Down show earlier messages, Ctrl-R searches them.\n"
    "Pasted text of several lines is one message.\n";

void print(std::string_view text) { std::cout << for_terminal(text) << std::flush; }

// False if the output was closed.
bool show(const boost::json::object& event, const Common& common)
{
    if (common.json) {
        print_line(event);
        return bool(std::cout.flush());
    }
    const auto& type = event.at("type").as_string();
    if (type == "message.delta") print(event.at("delta").at("text").as_string());
    if (type == "run.snapshot" && event.at("message").is_object()) {
        std::cout << '\n';
        for (const auto& part : event.at("message").at("content").as_array())
            print(part.at("text").as_string());
    }
    return bool(std::cout);
}

bool is_letter(char each) { return each >= 'a' && each <= 'z'; }

// "/model" of "/model qwen"; nothing of "/etc/hosts" and other texts.
std::string command_in(const std::string& line)
{
    if (!line.starts_with('/')) return {};
    const std::string word = line.substr(0, line.find(' '));
    const bool is_command = word.size() > 1 && std::all_of(word.begin() + 1, word.end(), is_letter);
    return is_command ? word : std::string();
}

std::string argument_in(const std::string& line)
{
    const std::size_t begin = line.find_first_not_of(' ', line.find(' '));
    if (begin == line.npos) return {};
    return line.substr(begin, line.find_last_not_of(' ') - begin + 1);
}

}  // namespace

Result<> Conversation::continue_last()
{
    const auto list = access_.ask("/v1/api/chat/sessions?limit=1");
    if (!list) return list.error();
    const auto* data = list->if_contains("data");
    if (!data || !data->is_array() || data->as_array().empty())
        return Error{Errc::not_found, "There is no session to continue: omit -c."};
    const auto& last = data->as_array().front().as_object();
    session_ = boost::json::value_to<std::string>(last.at("id"));
    if (const auto* model = last.if_contains("model"); model && model->is_string())
        answered_by_ = boost::json::value_to<std::string>(*model);
    return {};
}

Result<> Conversation::say(const std::string& message)
{
    boost::json::object body{{"message", message}};
    if (!session_.empty()) body["session_id"] = session_;
    if (!model_.empty()) body["model"] = model_;
    ChatTurn one{.find_server = access_.find_server,
                 .token = *access_.token,
                 .body = std::move(body),
                 .hear = [&](const boost::json::object& event) { return show(event, common_); },
                 .tell = [](const std::string& text) { std::cerr << for_terminal(text) << '\n'; }};
    const auto ended = one.ask();
    if (!ended) return ended.error();
    if (!common_.json) std::cout << '\n';
    session_ = boost::json::value_to<std::string>(ended->at("session_id"));
    answered_by_ = boost::json::value_to<std::string>(ended->at("model"));
    if (ended->at("status").as_string() == "failed")
        return Error{Errc::internal,
                     boost::json::value_to<std::string>(ended->at("error").at("detail"))};
    return {};
}

int Conversation::converse(bool keeps_history)
{
    return LineEditor::is_possible() && !common_.json ? converse_at_terminal(keeps_history)
                                                      : converse_plainly();
}

int Conversation::converse_at_terminal(bool keeps_history)
{
    // The history of the local server must not appear at the prompt of another one.
    keeps_history = keeps_history && common_.url.empty();
    ChatHistory history(keeps_history ? ChatHistory::usual_file(app::environment_of_process())
                                      : std::filesystem::path());
    print_banner();
    LineEditor editor(history);
    while (const auto line = editor.read()) {
        if (!take(*line)) return succeeded;
        if (Interruption::was_repeated()) return interrupted;
        Interruption::forget();  // It interrupted the answer, not the conversation.
    }
    std::cout << '\n';
    return Interruption::was_asked_for() ? interrupted : succeeded;
}

// The output is a file or a program, so it gets only the answers.
int Conversation::converse_plainly()
{
    for (std::string line;;) {
        std::cerr << "> " << std::flush;
        if (!Interruption::waits_for_input(STDIN_FILENO) || !std::getline(std::cin, line)) break;
        if (line.empty()) continue;
        complain_unless(say(line));
        if (!std::cout) return failed;
        if (Interruption::was_repeated()) return interrupted;
        Interruption::forget();
    }
    std::cerr << '\n';
    return Interruption::was_asked_for() ? interrupted : succeeded;
}

void Conversation::complain_unless(const Result<>& done) const
{
    if (!done) complain(done.error().message, failed, common_);
}

Result<std::vector<std::string>> Conversation::models() const
{
    const auto list = access_.ask("/v1/models");
    if (!list) return list.error();
    std::vector<std::string> names;
    if (const auto* data = list->if_contains("data"); data && data->is_array())
        for (const auto& model : data->as_array())
            names.push_back(boost::json::value_to<std::string>(model.at("id")));
    return names;
}

void Conversation::print_banner()
{
    const auto known = models();
    if (model_.empty() && answered_by_.empty() && known && !known->empty())
        answered_by_ = known->front();
    const std::string& model = model_.empty() ? answered_by_ : model_;
    const auto server = access_.find_server();
    std::cout << "Parley " << app::version << (server ? " at " + escape_control(server->url) : "");
    if (!model.empty()) std::cout << ", model " << escape_control(model);
    std::cout << '\n';
    if (model == models::embedded_model) std::cout << models::about_embedded_model << '\n';
    std::cout << "Type a message. /help lists the commands; Ctrl-D exits.\n\n" << std::flush;
}

bool Conversation::take(const std::string& line)
{
    const std::string command = command_in(line);
    if (!command.empty()) return obey(command, argument_in(line));
    complain_unless(say(line));
    return true;
}

bool Conversation::obey(const std::string& command, const std::string& argument)
{
    if (command == "/exit" || command == "/quit") return false;
    if (command == "/help") {
        std::cout << help;
    } else if (command == "/new") {
        session_.clear();
        std::cout << "New session.\n";
    } else if (command == "/model") {
        choose_model(argument);
    } else {
        std::cout << "There is no command " << command
                  << ". /help lists the commands; a space before the slash sends the text.\n";
    }
    return true;
}

void Conversation::choose_model(const std::string& name)
{
    const auto known = models();
    if (!known) return complain_unless(known.error());
    if (!name.empty() && std::ranges::find(*known, name) == known->end()) {
        std::cout << "There is no model " << escape_control(name) << ". /model lists the models.\n";
        return;
    }
    if (!name.empty()) {
        model_ = name;
        std::cout << "Model " << escape_control(name) << " answers from the next message on.\n";
        return;
    }
    const std::string& current = model_.empty() ? answered_by_ : model_;
    for (const auto& each : *known)
        std::cout << (each == current ? "* " : "  ") << escape_control(each) << '\n';
}

}  // namespace parley::cli
