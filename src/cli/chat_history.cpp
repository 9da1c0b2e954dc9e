#include "cli/chat_history.hpp"

#include "auth/token_text.hpp"

#include <boost/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::cli {
namespace {

namespace fs = std::filesystem;

// Closes itself.
struct File {
    explicit File(const fs::path& path, int flags)
        : descriptor(
              ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR))
    {
        struct stat about{};
        if (descriptor < 0) return;
        if (::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
            about.st_uid == ::geteuid())
            return;
        ::close(descriptor);
        descriptor = -1;
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File()
    {
        if (descriptor >= 0) ::close(descriptor);
    }

    // A partly written line is harmless: it is skipped when the file is read.
    void write(const std::string& text) const
    {
        if (descriptor >= 0) static_cast<void>(!::write(descriptor, text.data(), text.size()));
    }

    int descriptor;
};

std::string read_all(const fs::path& path)
{
    const File file(path, O_RDONLY);
    if (file.descriptor < 0) return {};
    // The newest lines are at the end.
    const off_t size = ::lseek(file.descriptor, 0, SEEK_END);
    const auto most = static_cast<off_t>(2 * ChatHistory::max_file_bytes);
    ::lseek(file.descriptor, size > most ? size - most : 0, SEEK_SET);
    std::string text(2 * ChatHistory::max_file_bytes, '\0');
    std::size_t length = 0;
    while (length < text.size()) {
        const ssize_t got = ::read(file.descriptor, text.data() + length, text.size() - length);
        if (got <= 0) break;
        length += static_cast<std::size_t>(got);
    }
    text.resize(length);
    return text;
}

std::string encoded(const std::string& line)
{
    return boost::json::serialize(boost::json::value(line)) + "\n";
}

}  // namespace

fs::path ChatHistory::usual_file(const app::Environment& environment)
{
    const auto value = [&](const char* name) -> fs::path {
        const auto found = environment.find(name);
        return found == environment.end() ? fs::path() : fs::path(found->second);
    };
    const fs::path state = value("XDG_STATE_HOME");
    if (state.is_absolute()) return state / "parley" / "chat-history";
    const fs::path home = value("HOME");
    if (!home.is_absolute()) return {};
    return home / ".local" / "state" / "parley" / "chat-history";
}

ChatHistory::ChatHistory(fs::path file) : file_(std::move(file))
{
    if (!file_.empty()) load();
}

void ChatHistory::load()
{
    const std::string text = read_all(file_);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        boost::system::error_code malformed;
        const auto line =
            boost::json::parse(std::string_view(text).substr(at, end - at), malformed);
        if (!malformed && line.is_string() && line.as_string().size() <= max_entry_bytes)
            entries_.emplace_back(line.as_string());
        at = end + 1;
    }
    if (entries_.size() <= max_entries && text.size() <= max_file_bytes) return;
    // Keeps less than the limits allow, so that this is not necessary each time.
    std::size_t bytes = 0;
    std::size_t first = entries_.size();
    while (first > 0 && entries_.size() - first < max_entries / 2 && bytes < max_file_bytes / 2)
        bytes += entries_[--first].size();
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first));
    rewrite();
}

void ChatHistory::rewrite() const
{
    fs::path fresh = file_;
    fresh += ".new";
    std::error_code ignored;
    fs::remove(fresh, ignored);
    std::string text;
    for (const auto& line : entries_) text += encoded(line);
    {
        const File file(fresh, O_WRONLY | O_CREAT | O_EXCL);
        if (file.descriptor < 0) return;
        file.write(text);
    }
    fs::rename(fresh, file_, ignored);
}

bool ChatHistory::add(const std::string& line)
{
    if (line.size() > max_entry_bytes || auth::without_tokens(line) != line) return false;
    if (!entries_.empty() && entries_.back() == line) return false;
    entries_.push_back(line);
    if (entries_.size() > 2 * max_entries) entries_.erase(entries_.begin());
    if (file_.empty()) return true;
    std::error_code ignored;
    if (!fs::exists(file_.parent_path(), ignored)) {
        fs::create_directories(file_.parent_path(), ignored);
        fs::permissions(file_.parent_path(), fs::perms::owner_all, ignored);
    }
    const File file(file_, O_WRONLY | O_APPEND | O_CREAT);
    if (file.descriptor >= 0) ::fchmod(file.descriptor, S_IRUSR | S_IWUSR);
    file.write(encoded(line));
    return true;
}

}  // namespace parley::cli
