// The server's own keys.
#pragma once

#include "store/keys.hpp"
#include "store/sql/jobs.hpp"

namespace parley::store::sql {

class SqlKeys final : public Keys {
public:
    explicit SqlKeys(JobQueue& writes) : writes_(writes) {}

    Task<Result<Secret>> key_for(std::string purpose) override;

private:
    JobQueue& writes_;
};

}  // namespace parley::store::sql
