#include "cli/import_source.hpp"

#include "base/escape_control.hpp"
#include "base/json.hpp"

#include <boost/json.hpp>

namespace parley::cli {
namespace {

// The limit of a request, less some room for what is around a conversation.
constexpr std::size_t max_conversation_bytes = (std::size_t{16} << 20U) - 1024;

std::string member(const boost::json::object& object, std::string_view name)
{
    const auto* value = object.if_contains(name);
    return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

ImportItem item_of(const std::string& format, boost::json::object conversation)
{
    const auto* session = conversation.if_contains("session");
    const bool is_own = session && session->is_object();
    std::string title = member(is_own ? session->get_object() : conversation, "title");
    boost::json::object body{{"format", format}, {"conversation", std::move(conversation)}};
    return {boost::json::serialize(body), std::move(title)};
}

}  // namespace

std::string format_of(const boost::json::object& object)
{
    if (object.contains("mapping")) return "chatgpt";
    if (object.contains("chat") || object.contains("history")) return "open_webui";
    if (object.contains("session") || !member(object, "object").empty()) return "parley";
    return {};
}

Result<ImportSource> ImportSource::open(const std::filesystem::path& path, std::string format)
{
    auto files = ImportFiles::find(path);
    if (!files) return files.error();
    return ImportSource(std::move(*files), std::move(format));
}

Result<std::optional<ImportItem>> ImportSource::next()
{
    for (;;) {
        if (!elements_) {
            const auto opened = open_next();
            if (!opened) return opened.error();
            if (!*opened) return std::optional<ImportItem>();
        }
        auto text = elements_->next();
        if (!text) return Error{text.error().code, file_ + ": " + text.error().message};
        const bool is_end = !*text;
        if (is_end) elements_.reset();
        auto item = is_end ? take_session() : read(**text);
        if (!item || *item) return item;
    }
}

// False if there is none.
Result<bool> ImportSource::open_next()
{
    const auto file = files_.next();
    if (!file) return file.error();
    if (!*file) return false;
    file_ = (*file)->name;
    elements_.emplace(*(*file)->in, max_conversation_bytes);
    return true;
}

// Nothing if the object is only a part of a conversation.
Result<std::optional<ImportItem>> ImportSource::read(const std::string& text)
{
    auto parsed = json::parse(text);
    if (!parsed)
        return Error{Errc::invalid_json,
                     file_ + ": A conversation is not valid JSON: " + parsed.error().message};
    boost::json::object& object = parsed->as_object();
    const std::string format = format_ == "auto" ? format_of(object) : format_;
    if (format.empty())
        return Error{Errc::invalid_request, file_ + ": has an unknown format; use --format"};
    if (format != "parley" || object.contains("session"))
        return std::optional(item_of(format, std::move(object)));
    return take_line(std::move(object), text.size());
}

// A line of an export of Parley: a session, then its messages.
Result<std::optional<ImportItem>> ImportSource::take_line(boost::json::object line,
                                                          std::size_t bytes)
{
    const std::string kind = member(line, "object");
    if (kind == "chat.message") {
        session_bytes_ += bytes + 1;
        if (session_bytes_ > max_conversation_bytes)
            messages_ = {};  // It is left out, and must not fill the memory.
        else if (!session_.empty())
            messages_.push_back(std::move(line));
        return std::optional<ImportItem>();
    }
    auto before = take_session();
    session_bytes_ = bytes;
    if (kind == "chat.session") session_ = std::move(line);
    return before;
}

Result<std::optional<ImportItem>> ImportSource::take_session()
{
    if (session_.empty()) return std::optional<ImportItem>();
    const boost::json::object session = std::move(session_);
    const boost::json::array messages = std::move(messages_);
    session_ = {};
    messages_ = {};
    if (session_bytes_ > max_conversation_bytes)
        return Error{Errc::body_too_large, file_ + ": The session " +
                                               escape_control(member(session, "title")) +
                                               " has more than 16 MiB and cannot be imported."};
    return std::optional(item_of("parley", {{"session", session}, {"messages", messages}}));
}

}  // namespace parley::cli
