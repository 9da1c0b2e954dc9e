// Represents a model that this program cannot run: every question fails with model_unavailable and
// the reason, which tells a client more than unknown_model.
//
// Threads: any.
#pragma once

#include "engine/engine.hpp"

#include <limits>

namespace parley::engine {

class AbsentEngine final : public Engine {
public:
    explicit AbsentEngine(std::string reason) : reason_{Errc::model_unavailable, std::move(reason)}
    {
    }

    // Minimal, so that every question is counted: counting fails with the reason before a run
    // begins.
    std::int64_t context() const override { return 1; }
    std::int64_t longest_token() const override { return std::numeric_limits<std::int32_t>::max(); }
    bool can_continue() const override { return false; }
    Task<Result<std::vector<std::int64_t>>> count(std::vector<Turn> /*turns*/) override
    {
        co_return reason_;
    }
    Task<Result<std::unique_ptr<Reply>>> start(Prompt /*prompt*/, std::string /*so_far*/) override
    {
        co_return reason_;
    }

private:
    Error reason_;
};

}  // namespace parley::engine
