#include "engine/llama/prefix_cache_file.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::engine::llama {
namespace {

namespace fs = std::filesystem;

// As much as a disk can write during a shutdown, and a small share of its free space.
constexpr std::uint64_t most_bytes = std::uint64_t{256} * 1024 * 1024;
constexpr std::uint64_t share_of_disk = 10;

// Precedes each state. Owner and sessions follow, one per line, then the tokens, then the state.
struct Head {
    std::uint64_t holders = 0;  // Bytes.
    std::uint64_t tokens = 0;   // Bytes.
    std::uint64_t state = 0;    // Bytes.
    std::uint64_t uses = 0;
    std::uint64_t state_checksum = 0;
    std::uint64_t checksum = 0;  // Covers all bytes before the state, with a zero in this field.
};

template <class T>
bool put(std::FILE* file, const T& values)
{
    return std::fwrite(values.data(), sizeof values[0], values.size(), file) == values.size();
}

template <class T>
bool get(std::FILE* file, T&& values)
{
    return values.empty() ||
           std::fread(values.data(), sizeof values[0], values.size(), file) == values.size();
}

template <class T>
void append(PrefixCache::State& all, const T& values)
{
    if (values.empty()) return;
    const std::size_t size = values.size() * sizeof values[0];
    all.resize(all.size() + size);
    std::memcpy(all.data() + all.size() - size, values.data(), size);
}

// All bytes before the state.
PrefixCache::State prelude(Head head, std::string_view holders, const Tokens& tokens)
{
    PrefixCache::State all;
    append(all, std::span(&head, 1));
    append(all, holders);
    append(all, tokens);
    return all;
}

std::uint64_t checksum_of(Head head, std::string_view holders, const Tokens& tokens)
{
    head.checksum = 0;
    return PrefixCache::checksum(prelude(head, holders, tokens));
}

bool put(std::FILE* file, const PrefixCache::Entry& entry)
{
    std::string holders = entry.owner + "\n";
    for (const std::string& session : entry.sessions) holders += session + "\n";
    Head head{.holders = holders.size(),
              .tokens = entry.tokens.size() * sizeof(Token),
              .state = entry.state.size(),
              .uses = entry.uses,
              .state_checksum = entry.checksum};
    head.checksum = checksum_of(head, holders, entry.tokens);
    return put(file, prelude(head, holders, entry.tokens)) && put(file, entry.state);
}

// The next entry, if it is complete; `left` is the rest of the file.
bool get(std::FILE* file, std::uint64_t& left, PrefixCache::Entry& entry)
{
    Head head;
    if (left < sizeof head || !get(file, std::span(&head, 1))) return false;
    left -= sizeof head;
    for (const std::uint64_t each : {head.holders, head.tokens, head.state}) {
        if (each > std::min(left, most_bytes)) return false;
        left -= each;
    }
    std::string holders(head.holders, '\0');
    entry.tokens.resize(head.tokens / sizeof(Token));
    if (!get(file, holders) || !get(file, entry.tokens)) return false;
    if (head.checksum != checksum_of(head, holders, entry.tokens)) return false;
    entry.state.resize(head.state);
    if (!get(file, entry.state)) return false;
    if (head.state_checksum != PrefixCache::checksum(entry.state)) return false;
    entry.checksum = head.state_checksum;
    entry.uses = head.uses;
    const std::size_t first_line = holders.find('\n');
    entry.owner = holders.substr(0, first_line);
    if (entry.owner.empty() || first_line == holders.npos) return false;
    for (std::size_t at = first_line + 1, end = 0; (end = holders.find('\n', at)) != holders.npos;
         at = end + 1)
        entry.sessions.insert(holders.substr(at, end - at));
    return true;
}

}  // namespace

PrefixCacheFile::PrefixCacheFile(fs::path path, const fs::path& weights) : path_(std::move(path))
{
    struct stat file{};
    if (::stat(weights.c_str(), &file) != 0) path_.clear();
    title_ = "parley kept states 2, llama.cpp " PARLEY_LLAMA_VERSION ", " +
             std::to_string(file.st_size) + " bytes of " + std::to_string(file.st_mtim.tv_sec) +
             "." + std::to_string(file.st_mtim.tv_nsec) + "\n";
    if (path_.empty()) return;
    const int opened = ::open(path_.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (opened < 0) return;
    left_.reset(::fdopen(opened, "rb"));
    ::unlink(path_.c_str());
}

void PrefixCacheFile::write(const PrefixCache& cache) const
{
    if (path_.empty()) return;
    std::error_code error;
    ::mkdir(path_.parent_path().c_str(), 0700);  // Or it exists.
    const fs::space_info space = fs::space(path_.parent_path(), error);
    if (error) return;
    const auto chosen = cache.most_valuable(std::min(most_bytes, space.available / share_of_disk));
    fs::remove(path_, error);
    if (chosen.empty()) return;
    const int opened = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (opened < 0) return;
    File file(::fdopen(opened, "wb"));
    bool good = put(file.get(), title_);
    for (const PrefixCache::Entry* each : chosen) good = good && put(file.get(), *each);
    if (good && std::fclose(file.release()) == 0) return;
    log::warn("cannot save the prompt cache", log::kv("file", path_.string()));
    fs::remove(path_, error);
}

void PrefixCacheFile::read(PrefixCache& cache)
{
    const File file = std::move(left_);
    if (!file) return;
    struct stat facts{};
    std::string title(title_.size(), '\0');
    if (::fstat(::fileno(file.get()), &facts) != 0 || !get(file.get(), title) || title != title_)
        return;
    std::uint64_t left = static_cast<std::uint64_t>(facts.st_size) - title.size();
    bool whole = true;
    while (left > 0 && whole) {
        PrefixCache::Entry one;
        whole = get(file.get(), left, one);
        if (whole) cache.take_back(std::move(one));
    }
    if (!whole) log::warn("the saved prompt cache is damaged and was ignored");
    log::info("prompt cache restored", log::kv("texts", cache.count()),
              log::kv("bytes", cache.bytes()));
}

}  // namespace parley::engine::llama
