// Import of conversations of other programs over HTTP.
#include "api/api.hpp"
#include "api/import_places.hpp"
#include "api/import_reader.hpp"
#include "api/run_answers.hpp"
#include "api/wire/moving.hpp"
#include "api/wire/session.hpp"
#include "base/id.hpp"
#include "base/sha256.hpp"
#include "base/utf8.hpp"
#include "chat/titles.hpp"
#include "engine/models.hpp"
#include "moving/bounds.hpp"
#include "moving/moving.hpp"
#include "store/moving.hpp"
#include "store/store.hpp"

#include <algorithm>

namespace parley::api {
namespace {

constexpr std::size_t max_title_bytes = 600;  // 200 characters of most scripts.
constexpr std::size_t max_model_bytes = 128;

static_assert(moving::max_instruction_bytes == instructions_length.max &&
              moving::max_metadata_entries == metadata_size.max &&
              moving::max_metadata_key == std::get<0>(metadata_keys.rules).max &&
              moving::max_metadata_value == std::get<0>(metadata_values.rules).max);

struct MadeImport {
    ImportView view;
    bool replayed = false;
};

void append_hashed(std::string& out, std::string_view text)
{
    out += std::to_string(text.size());
    out += ':';
    out += text;
}

// Equal if the messages are: the title of a conversation may change, unless nothing else tells it
// from others. A message without a time has that of the import, which is another one when the
// import is repeated. It is stored: if this text changes, all files are imported a second time.
Sha256 source_of(const moving::Conversation& read, TimePoint now)
{
    std::string all;
    append_hashed(all, read.source_id);
    if (read.source_id.empty() && !read.title.empty()) append_hashed(all, read.title);
    for (const moving::ReadMessage& each : read.messages) {
        append_hashed(all, each.source_id);
        append_hashed(all, each.parent ? std::to_string(*each.parent) : "");
        append_hashed(all, fields::name_of(each.speaker));
        append_hashed(all, each.created_at == now ? "" : rfc3339(each.created_at));
        for (const std::string& part : each.parts) append_hashed(all, part);
    }
    return sha256(all);
}

std::string one_line(std::string_view title)
{
    const std::vector parts{std::string(title)};
    return title.empty() ? std::string() : chat::title_from(parts);
}

// Ids in the order of the messages, as if each message had been written in its turn: ids of one
// millisecond have no order of their own.
std::vector<std::string> ordered_ids(std::size_t count, TimePoint now)
{
    std::vector<std::string> ids;
    ids.reserve(count);
    while (ids.size() < count) ids.push_back(new_id("msg", now));
    std::ranges::sort(ids);
    return ids;
}

store::ImportedMessage stored(moving::ReadMessage read, std::string id)
{
    if (read.model && read.model->size() > max_model_bytes)
        read.model->resize(utf8::cut(*read.model, max_model_bytes).size());
    return {.message = {.id = std::move(id),
                        .speaker = read.speaker,
                        .parts = std::move(read.parts),
                        .created_at = read.created_at,
                        .metadata = std::move(read.metadata),
                        .stop_reason = read.stop_reason,
                        .model = std::move(read.model),
                        .structured = read.structured},
            .parent = read.parent};
}

store::NewImport import_of(const Owner& owner, moving::Format format, moving::Conversation read,
                           const engine::Models& models, TimePoint now)
{
    std::string title = utf8::valid(read.title) ? read.title : std::string();
    title.resize(utf8::cut(title, max_title_bytes).size());
    title = one_line(title);
    const bool has_title = !title.empty();
    if (!has_title && !read.messages.empty()) title = chat::title_from(read.messages.front().parts);
    // Models of other programs and servers may not exist here.
    if (read.model && !models.find(*read.model)) read.model.reset();
    store::NewImport import{.format = std::string(fields::name_of(format)),
                            .source = source_of(read, now),
                            .session = {.id = new_id("ses", now),
                                        .owner = owner,
                                        .title = title,
                                        .title_key = chat::title_key(title),
                                        .title_was_set = has_title,
                                        .instructions = std::move(read.instructions),
                                        .model = std::move(read.model),
                                        .archived = read.archived,
                                        .metadata = std::move(read.metadata),
                                        .keep = read.keep,
                                        .created_at = read.created_at,
                                        .updated_at = read.updated_at},
                            .newest = read.newest,
                            .now = now};
    std::vector<std::string> ids = ordered_ids(read.messages.size(), now);
    for (std::size_t i = 0; i < ids.size(); ++i)
        import.messages.push_back(stored(std::move(read.messages[i]), std::move(ids[i])));
    return import;
}

struct PreparedImport {
    ImportView view;  // Without the session.
    store::NewImport import;
};

Result<PreparedImport> prepare(const Owner& owner, const ImportBody& body,
                               const engine::Models& models, TimePoint now)
{
    auto read = moving::read_conversation(body.format, body.conversation, now, "#/conversation");
    if (!read) return read.error();
    ImportView view{
        .session_id = {}, .imported = static_cast<std::int64_t>(read->imported), .skipped = {}};
    for (moving::Skipped& each : read->skipped)
        view.skipped.push_back({std::move(each.source_id), std::move(each.reason)});
    return PreparedImport{std::move(view),
                          import_of(owner, body.format, std::move(*read), models, now)};
}

Task<Result<MadeImport>> import_conversation(store::Store& store, const engine::Models& models,
                                             ImportReader& reader, ImportPlaces& places,
                                             const Clock& clock,
                                             With<auth::Scope::chat_write> caller, Origin origin,
                                             Body<ImportBody> body)
{
    const Owner owner = owner_of(caller);
    const auto place = places.take(owner.user);
    if (!place) co_return place.error();
    auto prepared = co_await offload(reader.thread, [&, now = clock.now()] {
        auto made = prepare(owner, body, models, now);
        body.conversation = {};
        return made;
    });
    if (!prepared) co_return prepared.error();
    prepared->import.cause = {std::move(origin.request_id)};
    auto imported = co_await store.moving().import_session(std::move(prepared->import));
    if (!imported) co_return imported.error();
    prepared->view.session_id = std::move(imported->session);
    co_return MadeImport{std::move(prepared->view), imported->replayed};
}

}  // namespace

namespace detail {

template <>
struct ResponseTraits<MadeImport> {
    static constexpr int status = 201;
    static constexpr std::array fields{"Location"};
    static boost::json::object schema()
    {
        return fields::schema<ImportView>(fields::Direction::response);
    }
    static http::Response response(const MadeImport& made)
    {
        auto response = json_response(made.replayed ? 200 : status, fields::write(made.view));
        response.fields.add("Location", "/v1/api/chat/sessions/" + made.view.session_id);
        if (made.replayed) response.fields.add("Idempotency-Replayed", "true");
        return response;
    }
};

}  // namespace detail

std::vector<Route> import_routes()
{
    return {route<import_conversation>(
        "POST", "/v1/api/import", "importConversation", "Import a conversation", large_body,
        needs_room,
        description(
            "Creates a session from a conversation of ChatGPT, Open WebUI or another Parley "
            "server, with its branches, times and title. Messages that cannot be imported are "
            "listed in `skipped`; consecutive messages of one role are joined. Importing the same "
            "conversation again changes nothing: the response is 200 with the first session."),
        responds_with({.status = 200,
                       .meaning = "This conversation was imported before.",
                       .media_type = "application/json",
                       .schema = fields::schema<ImportView>(fields::Direction::response),
                       .sent_fields = {"Location", "Idempotency-Replayed"}}),
        may_fail(Errc::conflict))};
}

}  // namespace parley::api
