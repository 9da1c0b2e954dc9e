// The journal of servers that share a PostgreSQL database, in its table run_events. All servers can
// read it; only the server that owns a run, and is not fenced, can append to the run.
//
// The store removes the events of a run in the transaction that stores its end, so that a reader of
// any server finds either the events or the end.
//
// Threads: one thread writes, one reads, each with its own connection.
#pragma once

#include "journal/journal.hpp"
#include "journal/postgres/writer.hpp"

#include <boost/asio/thread_pool.hpp>

#include <atomic>
#include <chrono>
#include <memory>

namespace parley::journal::postgres {

class PostgresJournal final : public Journal {
public:
    explicit PostgresJournal(Options options);
    ~PostgresJournal() override;

    Task<Result<>> append(std::string_view run, std::uint32_t first,
                          std::span<const Frame> frames) override;
    Task<Result<std::vector<Record>>> read(std::string_view run, std::uint32_t after,
                                           std::size_t max_bytes) override;
    Task<Result<std::vector<NewEvents>>> read_all(std::vector<Wanted> wanted,
                                                  std::size_t max_bytes) override;
    Task<Result<std::optional<RunState>>> state(std::string_view run) override;
    void begun(std::string_view run) override { writer_->begun(std::string(run)); }
    void end(std::string_view run) override { writer_->end(std::string(run), false); }
    void end_stored(std::string_view run) override { writer_->end(std::string(run), true); }
    // The database knows itself which runs have ended.
    void keep_only(std::span<const std::string> /*runs*/) override { writer_->sweep(); }
    void end_soon() override { writer_->end_soon(); }
    Figures figures() const override { return writer_->figures(); }

private:
    using Steady = std::chrono::steady_clock;

    // Runs on the thread that reads.
    template <class T, class Work>
    Task<Result<T>> on_reader(Work work);
    template <class T, class Work>
    Result<T> attempt(const Work& work, Steady::time_point asked_at);
    store::postgres::PreparedLink& connected();

    Result<std::vector<Record>> read_page(const std::string& run, std::uint32_t after,
                                          std::size_t max_bytes);
    Result<std::vector<NewEvents>> read_pages(const std::vector<Wanted>& wanted,
                                              std::size_t max_bytes);
    Result<std::optional<RunState>> read_state(const std::string& run);

    const Options options_;
    std::unique_ptr<Writer> writer_;
    std::unique_ptr<store::postgres::PreparedLink> link_;  // Used by the thread that reads.
    Steady::time_point give_up_at_;
    Steady::time_point failed_at_ = {};  // The last attempt to reach the database.
    std::atomic<std::size_t> reads_ = 0;
    std::atomic<bool> is_closing_ = false;
    boost::asio::thread_pool reader_{1};
};

}  // namespace parley::journal::postgres
