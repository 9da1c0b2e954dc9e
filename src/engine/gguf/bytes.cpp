#include "engine/gguf/bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace parley::engine::gguf {
namespace {

class FileBytes final : public Bytes {
public:
    FileBytes(int file, std::uint64_t size) : file_(file), size_(size) {}
    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;
    ~FileBytes() override { close(file_); }

    std::uint64_t size() const override { return size_; }
    std::size_t read(std::uint64_t offset, std::span<char> into) override
    {
        std::size_t done = 0;
        while (done < into.size()) {
            const auto got = pread(file_, into.data() + done, into.size() - done,
                                   static_cast<off_t>(offset + done));
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) break;
            done += static_cast<std::size_t>(got);
        }
        return done;
    }

private:
    int file_;
    std::uint64_t size_;
};

}  // namespace

Result<std::unique_ptr<Bytes>> open_bytes(const std::filesystem::path& file)
{
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0)
        return invalid_request(
            file.string() + " cannot be opened: " + std::generic_category().message(errno) + ".");
    struct stat about{};
    if (fstat(opened, &about) != 0 || !S_ISREG(about.st_mode)) {
        close(opened);
        return invalid_request(file.string() + " is not a plain file.");
    }
    return std::unique_ptr<Bytes>(
        std::make_unique<FileBytes>(opened, static_cast<std::uint64_t>(about.st_size)));
}

std::size_t TextBytes::read(std::uint64_t offset, std::span<char> into)
{
    if (offset >= text_.size()) return 0;
    const auto part = text_.substr(offset, into.size());
    std::ranges::copy(part, into.begin());
    return part.size();
}

bool Cursor::take_into(std::span<char> into)
{
    while (!into.empty() && !ended_) {
        if (position_ < buffer_start_ || position_ >= buffer_start_ + buffered_) {
            buffer_start_ = position_;
            buffered_ = bytes_.read(position_, buffer_);
            if (buffered_ == 0) ended_ = true;
        }
        const std::size_t at = position_ - buffer_start_;
        const std::size_t size = std::min(into.size(), buffered_ - std::min(at, buffered_));
        std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(at), size, into.begin());
        position_ += size;
        into = into.subspan(size);
    }
    return !ended_;
}

std::string Cursor::text(std::size_t size)
{
    if (size > left()) ended_ = true;
    if (ended_) return {};
    std::string text(size, '\0');
    return take_into(text) ? text : std::string();
}

void Cursor::skip(std::uint64_t size)
{
    if (size > left()) ended_ = true;
    if (!ended_) position_ += size;
}

}  // namespace parley::engine::gguf
