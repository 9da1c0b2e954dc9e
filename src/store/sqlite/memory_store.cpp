#include "store/sqlite/memory_store.hpp"

#include "store/sql/driver.hpp"
#include "store/sqlite/opening.hpp"
#include "store/sqlite/writer.hpp"

namespace parley::store {
namespace {

class MemoryDriver final : public sql::Driver {
public:
    sql::JobQueue& writes() override { return writer_.jobs(); }
    // No other connection can see a database in memory without locking it against the writer.
    sql::JobQueue& reads() override { return writer_.jobs(); }
    sql::JobQueue& long_reads() override { return writer_.jobs(); }
    sql::JobQueue& searches() override { return writer_.jobs(); }
    EventSignal& events_signal() override { return signal_; }

    Task<Result<std::uint64_t>> back_up(std::filesystem::path /*file*/) override
    {
        co_return Error{Errc::not_implemented,
                        "A store in memory cannot be backed up; set store.kind=sqlite."};
    }
    Result<> can_write() const override { return {}; }
    Figures figures() const override { return {.writes_waiting = writer_.waiting()}; }

private:
    EventSignal signal_;
    sqlite::Writer writer_{sqlite::open_in_memory(), {}, signal_};
};

}  // namespace

std::unique_ptr<Store> make_memory_store()
{
    return sql::make_store(std::make_unique<MemoryDriver>());
}

}  // namespace parley::store
