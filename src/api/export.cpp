// Export of all data of a user over HTTP.
#include "api/api.hpp"
#include "api/authorization.hpp"
#include "api/backups.hpp"
#include "api/export_file.hpp"
#include "api/export_places.hpp"
#include "api/run_answers.hpp"
#include "api/wire/moving.hpp"
#include "store/store.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

namespace parley::api {
namespace {

// The response is a stream: there is nothing else to send.
struct Exported {};

Task<Result<Exported>> export_data(store::Store& store, const BackupFolder& folder,
                                   const automation::Automations& automations, ExportPlaces& places,
                                   With<auth::Scope::chat_read> caller, Query<ExportQuery> query,
                                   Stream stream)
{
    const Owner owner = owner_of(caller);
    const auto place = places.take(owner.user);
    if (!place) co_return place.error();
    auto writing = places.write();
    if (!writing) co_return writing.error();
    const bool with_automations =
        check_access({.scope = auth::Scope::automation_read, .by_user = true}, *caller).has_value();
    auto file = ExportFile::create(folder, automations, with_automations);
    if (!file) co_return file.error();
    if (auto written = co_await store.moving().export_data(owner, query.session_id, *file);
        !written)
        co_return written.error();
    if (auto finished = (*file)->finish(); !finished) co_return finished.error();
    writing->reset();
    http::EventStream* out = co_await stream.open("application/x-ndjson");
    if (!out) co_return Exported();  // HEAD.
    for (;;) {
        auto bytes = (*file)->read();
        if (!bytes) co_return bytes.error();
        if (bytes->empty()) co_return Exported();
        if (!co_await out->send(std::make_shared<const std::string>(std::move(*bytes))))
            co_return Exported();
        // Lets other tasks of this loop run: a fast client can take all of it at once.
        co_await boost::asio::post(co_await boost::asio::this_coro::executor, awaiting);
    }
}

DocumentedResponse documented_export()
{
    return {.meaning = "One object per line.",
            .media_type = "application/x-ndjson",
            .schema = {{"type", "string"}},
            .example = "{\"object\":\"user\",…}\n{\"object\":\"chat.session\",…}\n"};
}

}  // namespace

namespace detail {

template <>
struct ResponseTraits<Exported> {
    static constexpr int status = 200;
    static boost::json::object schema() { return {{"type", "string"}}; }
    static http::Response response(const Exported& /*exported*/) { return {}; }
};

}  // namespace detail

std::vector<Route> export_routes()
{
    return {route<export_data>(
        "GET", "/v1/api/export", "exportData", "Export all of your data", needs_room,
        description(
            "One object per line: your user, then each session and behind it all of its messages "
            "in all branches, then the images of the messages (`chat.image`, large ones in several "
            "lines), then your automations and webhooks without secrets, if the token has "
            "the scope `automation:read`. All of it is of one moment. `POST /v1/api/import` takes "
            "a session with its messages. One export per user at a time."),
        responds_with(documented_export()), may_fail(Errc::not_found))};
}

}  // namespace parley::api
