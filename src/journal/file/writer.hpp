// The one thread that writes the journal. All waiting appends are written together, in one write(2)
// per megabyte or segment; it never waits for more to come.
//
// Idle, it is woken when the turn of the loop that appends has ended (see writer_wakeup.hpp).
//
// A failed write leaves nothing behind: its file is truncated to the good part, all its appends
// fail, and the next write tries again. So it recovers from a full disk by itself.
//
// Threads: submit(), sweep() and figures() from any thread.
#pragma once

#include "base/task.hpp"
#include "journal/file/folder.hpp"
#include "journal/file/index.hpp"
#include "journal/file/options.hpp"
#include "journal/file/recovery.hpp"
#include "journal/file/writer_wakeup.hpp"
#include "journal/journal.hpp"

#include <boost/container/small_vector.hpp>

#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace parley::journal::file {

using Frames = boost::container::small_vector<Frame, 1>;

// Frames of one run, numbered from `first`, and the waiting task.
struct Append {
    RunName run;
    std::uint32_t first;
    Frames frames;
    Executor loop;
    Completion<Result<>> answer;

    std::size_t size() const;  // On disk.
};

class Writer {
public:
    Writer(const Folder& folder, Index& index, const Options& options, Recovered recovered);
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer();  // Writes what waits.

    // Completes it once the kernel has the bytes, or with `overloaded` if too much waits.
    void submit(Append append);

    // Deletes the segments that no run needs any more, soon.
    void sweep();

    Figures figures() const;

private:
    // The tasks to resume, by loop.
    struct Waiting {
        Executor loop;
        std::vector<Completion<Result<>>> answers;
    };

    void work();
    void write_batch();
    void accept_batch();
    Result<> truncate_torn_write();
    std::span<Append> next_piece(std::span<Append> appends);
    Result<> write_piece(std::span<Append> appends);
    Result<> begin_segment();
    void encode(std::span<Append> appends);
    void acknowledge(std::span<Append> appends);
    void fail(std::span<Append> appends, const Error& error);
    void leave_queue(std::span<const Append> appends);
    void report(const Result<>& written);
    void remove_free_segments();

    const Folder& folder_;
    Index& index_;
    const Options options_;

    const std::shared_ptr<WriterWakeup> wakeup_ = std::make_shared<WriterWakeup>();
    std::vector<Append> queue_ GUARDED_BY(wakeup_->mutex);
    bool sweep_ GUARDED_BY(wakeup_->mutex) = false;
    bool stopping_ GUARDED_BY(wakeup_->mutex) = false;
    Figures figures_ GUARDED_BY(wakeup_->mutex);

    // The members below belong to the thread alone.
    std::vector<Append> batch_;     // The appends that were taken from the queue.
    std::vector<Append> accepted_;  // Those of them that have the right numbers.
    SegmentPtr active_;
    std::uint32_t next_segment_;
    bool torn_ = false;  // Bytes of a failed write lie behind the good ones.
    bool failing_ = false;
    std::string buffer_;
    std::vector<Index::Placed> placed_;
    std::vector<Waiting> waiting_;

    std::thread thread_;
};

}  // namespace parley::journal::file
