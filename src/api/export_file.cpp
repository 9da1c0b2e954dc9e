#include "api/export_file.hpp"

#include "api/user_view.hpp"
#include "api/wire/image.hpp"
#include "base/base64.hpp"
#include "base/rfc3339.hpp"
#include "chat/views.hpp"
#include "fields/write.hpp"
#include "webhook/webhooks.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace parley::api {
namespace {

constexpr std::size_t block = std::size_t{64} * 1024;
constexpr std::size_t bytes_of_line = std::size_t{3} * 1024 * 1024;  // Divisible by 3: no padding.

Error export_failed()
{
    return {Errc::storage_unavailable,
            "The server does not have enough free disk space for the export."};
}

}  // namespace

Result<std::shared_ptr<ExportFile>> ExportFile::create(const BackupFolder& folder,
                                                       const automation::Automations& automations,
                                                       bool with_automations)
{
    const int descriptor = ::open(folder.path.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor < 0) return export_failed();
    return std::shared_ptr<ExportFile>(
        new ExportFile(descriptor, folder.min_free_bytes, automations, with_automations));
}

ExportFile::~ExportFile() { ::close(descriptor_); }

void ExportFile::begin()
{
    buffer_.clear();
    failed_ = ::ftruncate(descriptor_, 0) != 0 || ::lseek(descriptor_, 0, SEEK_SET) != 0;
}

void ExportFile::user(const store::User& user) { add_line(fields::write(user_view(user))); }

void ExportFile::session(const store::Session& session)
{
    add_line(fields::write(chat::view(session)));
}

void ExportFile::message(const store::Message& message)
{
    add_line(fields::write(chat::view(message)));
}

// In lines that programs can read one by one: the texts of all lines together are the image.
void ExportFile::image(const store::Image& image)
{
    for (std::size_t at = 0; at < image.bytes.size(); at += bytes_of_line) {
        ExportedImage line{.sha256 = image.sha256,
                           .media_type = image.media_type,
                           .offset = static_cast<std::int64_t>(at),
                           .size = static_cast<std::int64_t>(image.bytes.size()),
                           .data = {}};
        append_base64(line.data, std::string_view(image.bytes).substr(at, bytes_of_line));
        add_line(fields::write(line));
    }
}

void ExportFile::automation(const store::Automation& automation)
{
    if (with_automations_) add_line(fields::write(automations_.view(automation, std::nullopt)));
}

void ExportFile::webhook(const store::Webhook& webhook)
{
    if (with_automations_) add_line(fields::write(webhook::view(webhook)));
}

void ExportFile::add_line(std::string line)
{
    buffer_ += line;
    buffer_ += '\n';
    if (buffer_.size() >= block) flush();
}

void ExportFile::flush()
{
    std::string_view rest = buffer_;
    while (!rest.empty() && !failed_) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written >= 0)
            rest.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            failed_ = true;
    }
    buffer_.clear();
    failed_ = failed_ || !leaves_room();
}

// Below the minimum the server would refuse new data of all users. An eighth of it is left for what
// they store meanwhile.
bool ExportFile::leaves_room() const
{
    struct statvfs disk{};
    if (::fstatvfs(descriptor_, &disk) != 0) return true;
    return disk.f_bavail * disk.f_frsize >= min_free_bytes_ + min_free_bytes_ / 8;
}

Result<> ExportFile::finish()
{
    flush();
    if (failed_) return export_failed();
    return {};
}

Result<std::string> ExportFile::read()
{
    std::string bytes(block, '\0');
    for (;;) {
        const ssize_t count =
            ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(read_to_));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return export_failed();
        bytes.resize(static_cast<std::size_t>(count));
        read_to_ += static_cast<std::uint64_t>(count);
        return bytes;
    }
}

}  // namespace parley::api
