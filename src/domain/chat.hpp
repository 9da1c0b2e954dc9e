// The nouns of a conversation: who speaks, how a run stands, why an answer ended, what it cost.
#pragma once

#include "base/field.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace parley {

// Whose a session is. What somebody does with a test token is apart from all else of theirs.
struct Owner {
    std::string user;  // usr_…
    bool test = false;

    bool operator==(const Owner&) const = default;
    auto operator<=>(const Owner&) const = default;
};

enum class Speaker { user, assistant };

constexpr auto names_of(Speaker)
{
    return std::array{wire::Named{Speaker::user, "user"},
                      wire::Named{Speaker::assistant, "assistant"}};
}

enum class RunStatus { queued, running, completed, failed, cancelled, interrupted };

constexpr auto names_of(RunStatus)
{
    return std::array{wire::Named{RunStatus::queued, "queued"},
                      wire::Named{RunStatus::running, "running"},
                      wire::Named{RunStatus::completed, "completed"},
                      wire::Named{RunStatus::failed, "failed"},
                      wire::Named{RunStatus::cancelled, "cancelled"},
                      wire::Named{RunStatus::interrupted, "interrupted"}};
}

constexpr bool has_ended(RunStatus status)
{
    return status != RunStatus::queued && status != RunStatus::running;
}

enum class StopReason { end_turn, max_tokens, stop_sequence, cancelled, interrupted, error };

constexpr auto names_of(StopReason)
{
    return std::array{wire::Named{StopReason::end_turn, "end_turn"},
                      wire::Named{StopReason::max_tokens, "max_tokens"},
                      wire::Named{StopReason::stop_sequence, "stop_sequence"},
                      wire::Named{StopReason::cancelled, "cancelled"},
                      wire::Named{StopReason::interrupted, "interrupted"},
                      wire::Named{StopReason::error, "error"}};
}

// Why a run failed.
struct RunError {
    std::string code;    // The code of its problem, as clients know it.
    std::string detail;  // For people.
    std::optional<std::chrono::seconds> retry_after = {};

    bool operator==(const RunError&) const = default;
};

struct Usage {
    std::int64_t input_tokens = 0;
    std::int64_t output_tokens = 0;
    std::int64_t cached_input_tokens = 0;

    bool operator==(const Usage&) const = default;
};

}  // namespace parley
