#include "api/target.hpp"
#include "cli/interruption.hpp"
#include "cli/output.hpp"
#include "cli/user_access.hpp"
#include "http/client/blocking.hpp"

#include <boost/json.hpp>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

namespace parley::cli {
namespace {

struct ExportArguments {
    std::string file;
    std::string user;
    std::string session;
};

Error cannot_be_written(const std::string& name)
{
    return {Errc::internal,
            name + " cannot be written: " + std::generic_category().message(errno) + "."};
}

// A new file that only its user may read, or the standard output. A file that is not kept is
// deleted.
class ExportOutput {
public:
    static Result<std::unique_ptr<ExportOutput>> open(const std::string& name)
    {
        if (name.empty()) return std::make_unique<ExportOutput>(name, STDOUT_FILENO);
        const int descriptor =
            ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
        if (descriptor < 0 && errno == EEXIST)
            return Error{Errc::conflict, name + " already exists; give another name."};
        if (descriptor < 0) return cannot_be_written(name);
        return std::make_unique<ExportOutput>(name, descriptor);
    }
    ExportOutput(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor)
    {
    }
    ~ExportOutput()
    {
        if (name_.empty()) return;
        ::close(descriptor_);
        if (!is_kept_) ::unlink(name_.c_str());
    }
    ExportOutput(const ExportOutput&) = delete;
    ExportOutput& operator=(const ExportOutput&) = delete;

    Result<> write(std::string_view bytes)
    {
        bytes_ += bytes.size();
        while (!bytes.empty()) {
            const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
            if (written < 0 && errno != EINTR)
                return cannot_be_written(name_.empty() ? "The output" : name_);
            if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
        }
        return {};
    }
    Result<> keep()
    {
        if (!name_.empty() && ::fsync(descriptor_) != 0) return cannot_be_written(name_);
        is_kept_ = true;
        return {};
    }
    std::uint64_t bytes() const { return bytes_; }

private:
    const std::string name_;
    const int descriptor_;
    std::uint64_t bytes_ = 0;
    bool is_kept_ = false;
};

http::client::ClientRequest export_request(const UserAccess& access, const ServerPlace& place,
                                           const ExportArguments& asked)
{
    std::string target = "/v1/api/export";
    if (!asked.session.empty()) target += "?session_id=" + api::percent_encode(asked.session);
    http::client::ClientRequest made{.url = http::client::Url::parse(place.url + target).value()};
    made.fields.push_back({"Authorization", "Bearer " + std::string(access.token->reveal())});
    made.deadlines.first_byte = std::chrono::hours(1);  // The server writes a file first.
    made.deadlines.total = std::chrono::hours(24);
    return made;
}

Error refused(int status, const std::string& body)
{
    boost::system::error_code malformed;
    const auto problem = boost::json::parse(body, malformed);
    if (!malformed && problem.is_object() && problem.as_object().contains("detail"))
        return {Errc::internal, boost::json::value_to<std::string>(problem.at("detail"))};
    return {Errc::internal, "The server answered with status " + std::to_string(status) + "."};
}

// Only the bytes in hand are in memory.
Task<Result<>> copy_export(http::client::Client& client, http::client::ClientRequest request,
                           ExportOutput& output)
{
    const Error is_lost{Errc::internal, "The connection to the server was lost."};
    const auto stream = client.prepare(std::move(request));
    if (!co_await stream->start()) co_return is_lost;
    const int status = stream->head().status;
    constexpr std::size_t max_refusal = std::size_t{64} * 1024;
    std::string problem;
    for (;;) {
        const auto bytes = co_await stream->next();
        if (!bytes) co_return is_lost;
        if (bytes->empty()) break;
        if (Interruption::was_asked_for()) co_return Error{Errc::internal, "Interrupted."};
        if (status != 200) {
            if (problem.size() < max_refusal) problem += *bytes;
        } else if (auto written = output.write(*bytes); !written) {
            co_return written.error();
        }
    }
    if (status != 200) co_return refused(status, problem);
    co_return output.keep();
}

Result<std::uint64_t> export_all(const ExportArguments& asked, const Common& common)
{
    auto output = ExportOutput::open(asked.file);
    if (!output) return output.error();
    const auto access = open_user_access(
        common,
        {.user = asked.user, .name = "parley export", .scopes = {"chat:read", "automation:read"}});
    if (!access) return access.error();
    const auto place = access->find_server();
    if (!place) return place.error();
    http::client::BlockingClient client({.only_certificate = place->certificate});
    const auto done = client.run([&](http::client::Client& asking) {
        return copy_export(asking, export_request(*access, *place, asked), **output);
    });
    if (!done) return done.error();
    return (*output)->bytes();
}

}  // namespace

Run describe_export(CLI::App& command, const Common& common)
{
    const auto asked = std::make_shared<ExportArguments>();
    command.add_option("FILE", asked->file, "File to create; it must not exist [standard output]");
    command.add_option("--user", asked->user, "User whose data is exported [the only user]")
        ->type_name("NAME");
    command.add_option("--session", asked->session, "Only this session and its messages")
        ->type_name("ID");
    command.footer(
        "Writes the user, all sessions with their messages in all branches, automations and\n"
        "webhooks without secrets: one JSON object per line, of one moment. `parley import` reads\n"
        "it in again.\n"
        "Needs a running server: the one on the data directory, or the one at --url.\n\n"
        "Examples:\n"
        "  parley export ana.ndjson --user ana\n"
        "  parley export | gzip > all.ndjson.gz");
    return [asked, &common] {
        const Interruption interruption;  // A temporary token is revoked first.
        const auto bytes = export_all(*asked, common);
        if (Interruption::was_asked_for()) return interrupted;
        if (!bytes) return complain(bytes.error().message, failed, common);
        if (asked->file.empty()) return succeeded;
        if (common.json)
            print_line({{"file", asked->file}, {"bytes", *bytes}});
        else
            std::cout << "Exported to " << asked->file << " (" << *bytes << " bytes).\n";
        return succeeded;
    };
}

}  // namespace parley::cli
