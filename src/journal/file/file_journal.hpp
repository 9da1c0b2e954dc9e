// The journal in files of one machine. It never syncs: what it has acknowledged survives `kill -9`,
// not a power cut.
//
// Segments are appended to, never changed, and deleted as soon as no active run has events in them,
// including the one being written: a journal without runs is an empty folder. Ended runs are not
// marked on disk.
//
// Threads: one thread writes, one reads. Destruction completes all waiting appends and reads.
#pragma once

#include "journal/file/folder.hpp"
#include "journal/file/index.hpp"
#include "journal/file/options.hpp"
#include "journal/file/writer.hpp"
#include "journal/journal.hpp"

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

namespace parley::journal::file {

class FileJournal final : public Journal {
public:
    // Reads the events of an earlier process (see recovery.hpp). Fails with `storage_unavailable`
    // and a message for the operator.
    static Result<std::unique_ptr<FileJournal>> open(std::filesystem::path folder,
                                                     Options options = {});
    ~FileJournal() override;

    Task<Result<>> append(std::string_view run, std::uint32_t first,
                          std::span<const Frame> frames) override;
    Task<Result<std::vector<Record>>> read(std::string_view run, std::uint32_t after,
                                           std::size_t max_bytes) override;
    Task<Result<std::vector<NewEvents>>> read_all(std::vector<Wanted> wanted,
                                                  std::size_t max_bytes) override;
    Task<Result<std::optional<RunState>>> state(std::string_view run) override;
    void end(std::string_view run) override;
    void keep_only(std::span<const std::string> runs) override;
    Figures figures() const override;

private:
    FileJournal(Folder folder, Options options);

    Task<Result<>> submit(RunName run, std::uint32_t first, Frames frames);
    Task<Result<std::vector<Record>>> read_run(std::optional<RunName> run, std::uint32_t after,
                                               std::size_t max_bytes);
    Task<Result<std::optional<RunState>>> state_of(std::optional<RunName> run);

    Folder folder_;
    const Options options_;
    Index index_;
    std::optional<Writer> writer_;
    std::atomic<std::size_t> reads_ = 0;
    boost::asio::thread_pool reader_{1};
};

}  // namespace parley::journal::file
