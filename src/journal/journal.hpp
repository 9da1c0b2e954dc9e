// The journal keeps the events of runs that are still being answered. What it has acknowledged
// survives `kill -9` of this process, byte for byte; not a power cut, for it never syncs. When a
// run's events have gone to the store, end() lets go of them.
//
// Segments are appended to, never changed, and deleted as soon as no run that goes on has events in
// them, the one being written not excepted: a journal without runs is an empty folder.
//
// There are no marks for ended runs on disk. The store alone knows, synced, which runs have ended;
// after a restart the app looks through runs() and ends those again.
//
// Threads: from any thread. Appends and reads resume on the loop that asked. One thread writes, one
// reads. The journal must outlive the tasks that wait for it, and their loops must outlive it;
// destruction writes and answers all that waits.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "journal/figures.hpp"
#include "journal/folder.hpp"
#include "journal/index.hpp"
#include "journal/writer.hpp"

#include <boost/asio/thread_pool.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace parley::journal {

class Journal {
public:
    // Reads all that an earlier process has left (see recovery.hpp). Fails with
    // `storage_unavailable` and a sentence for the operator.
    static Result<std::unique_ptr<Journal>> open(std::filesystem::path folder,
                                                 Options options = {});

    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    ~Journal();

    // Waits until the kernel has the bytes. Several frames go together: all of them or none.
    //
    // A run begins with number 1, and each append goes on where the last one that succeeded ended;
    // any other number is a bug of the caller, is logged and fails with `internal`. So do a run's
    // name or a frame beyond their limits. Fails with `storage_unavailable` when the disk is full
    // or fails (nothing is kept then, and the same number is to be tried again), `overloaded` when
    // too much waits already, `shutting_down` after the end.
    Task<Result<>> append(std::string_view run, std::uint32_t number, Frame frame);
    Task<Result<>> append(std::string_view run, std::uint32_t first, std::span<const Frame> frames);

    // The events after a number, as many as fit into `max_bytes`, but at least one if there is one.
    // Their numbers are consecutive from `after` + 1, unless the run is not whole. Fails with
    // `not_found` for a run without events or one that has ended, `storage_unavailable` when the
    // disk fails, `overloaded` when too many reads wait already.
    Task<Result<std::vector<Record>>> read(std::string_view run, std::uint32_t after,
                                           std::size_t max_bytes);

    // The run's events are not needed any more. May be called again, and for unknown runs. Not to
    // be called while one of the run's appends is under way.
    void end(std::string_view run);

    // In no order.
    std::vector<RunState> runs() const { return index_.runs(); }

    Figures figures() const;

private:
    Journal(Folder folder, Options options);

    Task<Result<>> submit(RunName run, std::uint32_t first, Frames frames);
    Task<Result<std::vector<Record>>> read_run(std::optional<RunName> run, std::uint32_t after,
                                               std::size_t max_bytes);

    Folder folder_;
    const Options options_;
    Index index_;
    std::optional<Writer> writer_;
    std::atomic<std::size_t> reads_ = 0;
    boost::asio::thread_pool reader_{1};
};

}  // namespace parley::journal
