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
    Task<Result<Page<AuditEvent, Position>>> list(std::optional<Position> before,
                                                  std::size_t limit) override;

private:
    Writer& writer_;
    Readers& readers_;
};

}  // namespace parley::store::sqlite
