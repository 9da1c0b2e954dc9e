#include "journal/file/writer.hpp"

#include "base/log.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <pthread.h>
#include <utility>

namespace parley::journal::file {
namespace {

// Appends beyond this size are a separate write, so that the first ones need not wait for the last.
constexpr std::size_t max_piece = std::size_t{1024} * 1024;

// The memory of a waiting append.
std::size_t cost(const Append& append) { return append.size() + sizeof(Append); }

Error wrong_number(const Append& append, std::uint32_t next)
{
    return {Errc::internal, "An event of this run was numbered wrongly.",
            fmt::format("run {}: event number {} instead of {}", append.run.text(), append.first,
                        next)};
}

}  // namespace

std::size_t Append::size() const
{
    std::size_t bytes = 0;
    for (const Frame& frame : frames) bytes += record_size(run.text(), frame->size());
    return bytes;
}

Writer::Writer(const Folder& folder, Index& index, const Options& options, Recovered recovered)
    : folder_(folder),
      index_(index),
      options_(options),
      active_(std::move(recovered.active)),
      next_segment_(recovered.next)
{
    figures_.bytes_on_disk = recovered.bytes;
    figures_.segments = recovered.segments;
    thread_ = std::thread([this] { work(); });
    ::pthread_setname_np(thread_.native_handle(), "journal");
}

Writer::~Writer()
{
    {
        const MutexLock lock(wakeup_->mutex);
        stopping_ = true;
        wakeup_->wake();
    }
    thread_.join();
}

void Writer::submit(Append append)
{
    const std::size_t bytes = cost(append);
    const Executor loop = append.loop;
    Error refusal{Errc::overloaded, "Too many events are waiting to be written."};
    {
        const MutexLock lock(wakeup_->mutex);
        if (!stopping_ && figures_.queued_bytes + bytes <= options_.max_queued) {
            figures_.queued_bytes += bytes;
            ++figures_.queued_appends;
            queue_.push_back(std::move(append));
            wakeup_->wake_after_loop_turn(loop);
            return;
        }
        if (stopping_) refusal = {Errc::shutting_down, "The journal is closed."};
    }
    std::move(append.answer)(std::move(refusal));
}

void Writer::sweep()
{
    const MutexLock lock(wakeup_->mutex);
    sweep_ = true;
    wakeup_->wake();
}

Figures Writer::figures() const
{
    const MutexLock lock(wakeup_->mutex);
    return figures_;
}

void Writer::work()
{
    for (;;) {
        bool sweep = false;
        {
            MutexLock lock(wakeup_->mutex);
            while (queue_.empty() && !sweep_ && !stopping_) wakeup_->wait(lock);
            if (queue_.empty() && !sweep_) return;
            std::swap(batch_, queue_);
            sweep = std::exchange(sweep_, false);
        }
        write_batch();
        if (sweep) remove_free_segments();
    }
}

void Writer::write_batch()
{
    accept_batch();
    for (std::span<Append> rest = accepted_; !rest.empty();) {
        Result<> written = truncate_torn_write();
        const std::span<Append> piece = written ? next_piece(rest) : rest;
        if (written) written = write_piece(piece);
        report(written);
        if (!written) {
            fail(rest, written.error());
            break;
        }
        acknowledge(piece);
        rest = rest.subspan(piece.size());
    }
    accepted_.clear();
}

void Writer::accept_batch()
{
    for (Append& append : batch_) {
        const auto next = index_.claim(append.run, append.first, append.frames.size());
        if (!next) {
            accepted_.push_back(std::move(append));
            continue;
        }
        Error error = wrong_number(append, *next);
        log::error("an event had a wrong number and was not written to the journal",
                   log::kv("reason", error.detail));
        leave_queue({&append, 1});
        std::move(append.answer)(std::move(error));
    }
    batch_.clear();
}

// Removes the remains of a failed write.
Result<> Writer::truncate_torn_write()
{
    if (!torn_) return {};
    auto cut = active_->file.cut(active_->size);
    torn_ = !cut;
    return cut;
}

// As many as fit into one write and into the segment. The first always fits: a segment may exceed
// its planned size by one append.
std::span<Append> Writer::next_piece(std::span<Append> appends)
{
    std::size_t bytes = appends.front().size();
    if (active_ && active_->size + bytes > options_.segment_size) active_ = nullptr;
    const std::uint64_t begin = active_ ? active_->size : header_size;
    std::size_t count = 1;
    for (; count < appends.size(); ++count) {
        bytes += appends[count].size();
        if (bytes > max_piece || begin + bytes > options_.segment_size) break;
    }
    return appends.first(count);
}

Result<> Writer::write_piece(std::span<Append> appends)
{
    if (!active_)
        if (auto begun = begin_segment(); !begun) return begun;
    encode(appends);

    const SteadyPoint before = options_.clock->steady();
    auto written = active_->file.write_at(active_->size, buffer_);
    const auto took = options_.clock->steady() - before;
    if (written) {
        active_->size += buffer_.size();
        index_.settle(active_, placed_);
    } else {
        torn_ = true;
        static_cast<void>(truncate_torn_write());  // If this fails, it is repeated before the next
                                                   // write.
    }

    const MutexLock lock(wakeup_->mutex);
    ++(written ? figures_.batches : figures_.failed_batches);
    figures_.writes.add(took);
    if (written) {
        figures_.records += placed_.size();
        figures_.bytes_written += buffer_.size();
        figures_.bytes_on_disk += buffer_.size();
    }
    return written;
}

Result<> Writer::begin_segment()
{
    auto file = folder_.create_segment(next_segment_);
    if (!file) return file.error();
    active_ = std::make_shared<Segment>(next_segment_++, std::move(*file), 0);
    index_.add_segment(active_);
    const MutexLock lock(wakeup_->mutex);
    ++figures_.segments;
    return {};
}

void Writer::encode(std::span<Append> appends)
{
    buffer_.clear();
    placed_.clear();
    if (active_->size == 0) append_header(buffer_);
    for (const Append& append : appends) {
        std::uint32_t number = append.first;
        for (const Frame& frame : append.frames) {
            const auto offset = static_cast<std::uint32_t>(active_->size + buffer_.size());
            placed_.push_back({append.run, number, offset});
            append_record(buffer_, append.run.text(), number++, *frame);
        }
    }
}

// One message for each loop instead of one for each append, because waking a loop is expensive.
void Writer::acknowledge(std::span<Append> appends)
{
    leave_queue(appends);
    for (Append& append : appends) {
        auto waiting = std::ranges::find(waiting_, append.loop, &Waiting::loop);
        if (waiting == waiting_.end()) {
            waiting = waiting_.insert(waiting_.end(), Waiting{append.loop, {}});
            waiting->answers.reserve(appends.size());
        }
        waiting->answers.push_back(std::move(append.answer));
    }
    for (Waiting& waiting : waiting_)
        boost::asio::post(waiting.loop, [answers = std::move(waiting.answers)]() mutable {
            for (auto& answer : answers) std::move(answer)(Result<>());
        });
    waiting_.clear();
}

void Writer::fail(std::span<Append> appends, const Error& error)
{
    leave_queue(appends);
    for (Append& append : appends) {
        index_.give_up(append.run);
        std::move(append.answer)(error);
    }
}

void Writer::leave_queue(std::span<const Append> appends)
{
    std::size_t bytes = 0;
    for (const Append& append : appends) bytes += cost(append);
    const MutexLock lock(wakeup_->mutex);
    figures_.queued_bytes -= bytes;
    figures_.queued_appends -= appends.size();
}

void Writer::report(const Result<>& written)
{
    if (!written && !failing_)
        log::error("cannot write the journal; answers are delayed until the disk works again",
                   log::kv("folder", folder_.path().native()),
                   log::kv("reason", written.error().detail));
    if (written && failing_) log::info("journal writable again");
    failing_ = !written;
}

void Writer::remove_free_segments()
{
    for (const SegmentPtr& segment : index_.take_free_segments()) {
        if (segment == active_) {
            active_ = nullptr;
            torn_ = false;
        }
        const auto removed = folder_.remove_segment(segment->number);
        if (!removed)
            log::error("cannot delete a journal file",
                       log::kv("file", folder_.path_of(segment->number)),
                       log::kv("reason", removed.error().detail));
        const MutexLock lock(wakeup_->mutex);
        --figures_.segments;
        figures_.bytes_on_disk -= segment->size;
    }
}

}  // namespace parley::journal::file
