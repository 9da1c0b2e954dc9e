// Types of a conversation: roles, status of a run, stop reasons, usage.
#pragma once

#include "fields/fields.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace parley {

// The owner of a session. Data of test tokens is separate from the user's other data.
struct Owner {
    std::string user;  // usr_…
    bool test = false;

    bool operator==(const Owner&) const = default;
    auto operator<=>(const Owner&) const = default;
};

enum class Speaker { user, assistant };

constexpr auto names_of(Speaker)
{
    return std::array{fields::Named{Speaker::user, "user"},
                      fields::Named{Speaker::assistant, "assistant"}};
}

enum class RunStatus { queued, running, completed, failed, cancelled, interrupted };

constexpr auto names_of(RunStatus)
{
    return std::array{fields::Named{RunStatus::queued, "queued"},
                      fields::Named{RunStatus::running, "running"},
                      fields::Named{RunStatus::completed, "completed"},
                      fields::Named{RunStatus::failed, "failed"},
                      fields::Named{RunStatus::cancelled, "cancelled"},
                      fields::Named{RunStatus::interrupted, "interrupted"}};
}

constexpr bool has_ended(RunStatus status)
{
    return status != RunStatus::queued && status != RunStatus::running;
}

enum class StopReason { end_turn, max_tokens, stop_sequence, cancelled, interrupted, error };

constexpr auto names_of(StopReason)
{
    return std::array{fields::Named{StopReason::end_turn, "end_turn"},
                      fields::Named{StopReason::max_tokens, "max_tokens"},
                      fields::Named{StopReason::stop_sequence, "stop_sequence"},
                      fields::Named{StopReason::cancelled, "cancelled"},
                      fields::Named{StopReason::interrupted, "interrupted"},
                      fields::Named{StopReason::error, "error"}};
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
