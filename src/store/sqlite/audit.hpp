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
    Task<Result<Page<AuditEvent, Position>>> list(std::optional<Position> before,
                                                  std::size_t limit) override;

private:
    Writer& writer_;
    Readers& readers_;
};

// Stores an event in the transaction of the use case that it tells of.
Result<> note(Database& database, const std::optional<AuditEvent>& event);

// What `work` does, and the event that tells of it: both or neither.
template <class Work>
auto audited(std::optional<AuditEvent> event, Work work)
{
    return [event = std::move(event), work = std::move(work)](Database& database) {
        auto done = work(database);
        if (!done) return done;
        if (auto noted = note(database, event); !noted) done = noted.error();
        return done;
    };
}

}  // namespace parley::store::sqlite
