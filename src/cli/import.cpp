#include "base/escape_control.hpp"
#include "cli/import_source.hpp"
#include "cli/interruption.hpp"
#include "cli/output.hpp"
#include "cli/terminal_text.hpp"
#include "cli/user_access.hpp"

#include <boost/json.hpp>

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <thread>

namespace parley::cli {
namespace {

struct ImportArguments {
    std::filesystem::path source;
    std::string user;
    std::string format = "auto";
};

struct ImportCounts {
    std::size_t imported = 0;
    std::size_t known = 0;
    std::size_t failed = 0;
};

// Waits while the limit of requests is reached.
Result<Answered> send_patiently(ApiClient& client, const std::string& body)
{
    constexpr int rate_limited = 429;
    constexpr int most_tries = 150;  // A window has 60 seconds.
    for (int tried = 1;; ++tried) {
        auto answer = client.interface->send("POST", "/v1/api/import", body);
        if (!answer || answer->status != rate_limited || tried == most_tries) return answer;
        if (Interruption::was_asked_for()) return answer;
        std::this_thread::sleep_for(std::chrono::seconds(1));
    }
}

std::string text_of(const boost::json::object& object, std::string_view name)
{
    const auto* value = object.if_contains(name);
    return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

void tell_import(const ImportItem& item, const boost::json::object& view, bool replayed,
                 const Common& common)
{
    if (common.json) {
        print_line(view);
        return;
    }
    std::cout << for_terminal(text_of(view, "session_id")) << "  "
              << view.at("imported").to_number<std::int64_t>() << " messages";
    if (const auto& skipped = view.at("skipped").as_array(); !skipped.empty())
        std::cout << ", " << skipped.size() << " skipped";
    if (replayed) std::cout << ", imported before";
    std::cout << "  " << escape_control(item.title) << '\n';
}

Result<> import_one(ApiClient& client, const ImportItem& item, const Common& common,
                    ImportCounts& counts)
{
    const auto answer = send_patiently(client, item.body);
    if (!answer) return answer.error();
    boost::system::error_code malformed;
    const auto body = boost::json::parse(answer->body, malformed);
    const auto* view = malformed ? nullptr : body.if_object();
    if (!view) return Error{Errc::internal, "The server sent an unreadable response."};
    constexpr int made = 201;
    if (answer->status == 401 || answer->status == 403 || answer->status >= 500)
        return Error{Errc::internal, text_of(*view, "detail")};
    if (answer->status >= 400) {
        ++counts.failed;
        std::cerr << escape_control(item.title) << ": " << for_terminal(text_of(*view, "detail"))
                  << '\n';
        return {};
    }
    ++(answer->status == made ? counts.imported : counts.known);
    tell_import(item, *view, answer->status != made, common);
    return {};
}

// The others can be imported.
bool is_about_one(const Error& error)
{
    return error.code == Errc::body_too_large || error.code == Errc::invalid_json;
}

Result<ImportCounts> import_all(const ImportArguments& asked, const Common& common)
{
    auto source = ImportSource::open(asked.source, asked.format);
    if (!source) return source.error();
    const auto access = open_user_access(
        common, {.user = asked.user, .name = "parley import", .scopes = {"chat:write"}});
    if (!access) return access.error();
    auto client = access->client();
    if (!client) return client.error();
    ImportCounts counts;
    while (!Interruption::was_asked_for()) {
        const auto item = source->next();
        if (!item && !is_about_one(item.error())) return item.error();
        if (!item) {
            ++counts.failed;
            std::cerr << for_terminal(item.error().message) << '\n';
            continue;
        }
        if (!*item) break;
        if (auto done = import_one(*client, **item, common, counts); !done) return done.error();
    }
    return counts;
}

}  // namespace

Run describe_import(CLI::App& command, const Common& common)
{
    const auto asked = std::make_shared<ImportArguments>();
    command
        .add_option("source", asked->source,
                    "A file, a folder with files of an export, or a ZIP archive")
        ->type_name("FILE|FOLDER|ZIP")
        ->required();
    command.add_option("--user", asked->user, "User who gets the conversations [the only user]")
        ->type_name("NAME");
    command
        .add_option("--format", asked->format, "Program that made the export; auto: recognise it")
        ->check(CLI::IsMember({"auto", "parley", "chatgpt", "open_webui"}))
        ->capture_default_str();
    command.footer(
        "Imports conversations.json of ChatGPT, exported chats of Open WebUI, or the output of\n"
        "`parley export`. A conversation that was imported before is not imported again.\n"
        "Needs a running server: the one on the data directory, or the one at --url.\n\n"
        "Examples:\n"
        "  parley import chatgpt-export.zip\n"
        "  parley import --user ana chat-export.json");
    return [asked, &common] {
        const Interruption interruption;  // A temporary token is revoked first.
        const auto counts = import_all(*asked, common);
        if (Interruption::was_asked_for()) return interrupted;
        if (!counts) return complain(counts.error().message, failed, common);
        if (!common.json)
            std::cerr << counts->imported << " imported, " << counts->known << " imported before, "
                      << counts->failed << " failed\n";
        return counts->failed > 0 ? failed : succeeded;
    };
}

}  // namespace parley::cli
