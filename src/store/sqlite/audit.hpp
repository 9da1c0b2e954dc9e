// The audit log in SQLite.
#pragma once

#include "store/audit.hpp"
#include "store/sqlite/readers.hpp"
#include "store/sqlite/writer.hpp"

namespace parley::store::sqlite {

class SqliteAudit final : public AuditLog {
public:
    SqliteAudit(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<Result<>> append(AuditEvent event) override;
    Task<Result<AuditEvent>> find(std::string id) override;
    Task<Result<Page<AuditEvent, Position>>> list(std::optional<Position> before, std::size_t limit,
                                                  AuditFilter filter) override;

private:
    Writer& writer_;
    Readers& readers_;
};

// Stores events in the transaction of the use case that they tell of.
Result<> note(Database& database, const std::optional<AuditEvent>& event);
Result<> note(Database& database, const std::vector<AuditEvent>& events);

// What `work` does, and the events that tell of it: all or nothing. A replay is not told of again.
template <class Events, class Work>
auto audited(Events events, Work work)
{
    return [events = std::move(events), work = std::move(work)](Database& database) {
        auto done = work(database);
        if (!done) return done;
        if constexpr (requires { done->replayed; })
            if (done->replayed) return done;
        if (auto noted = note(database, events); !noted) done = noted.error();
        return done;
    };
}

}  // namespace parley::store::sqlite
