// The nouns of automations: what makes one due, what happens to each time that it is due.
#pragma once

#include "fields/fields.hpp"

#include <array>

namespace parley {

// How a row of the ledger came about.
enum class TriggerType { manual, schedule, event, hook };

constexpr auto names_of(TriggerType)
{
    using fields::Named;
    return std::array{Named{TriggerType::manual, "manual"},
                      Named{TriggerType::schedule, "schedule"}, Named{TriggerType::event, "event"},
                      Named{TriggerType::hook, "hook"}};
}

// The credential of a call to a hook: a token, or a signature of the body.
enum class HookVerification { token, standard_webhooks, github };

constexpr auto names_of(HookVerification)
{
    using fields::Named;
    return std::array{Named{HookVerification::token, "token"},
                      Named{HookVerification::standard_webhooks, "standard_webhooks"},
                      Named{HookVerification::github, "github"}};
}

enum class AutomationState { active, paused, ended };

constexpr auto names_of(AutomationState)
{
    using fields::Named;
    return std::array{Named{AutomationState::active, "active"},
                      Named{AutomationState::paused, "paused"},
                      Named{AutomationState::ended, "ended"}};
}

enum class PauseReason { user, failures, time_zone };

constexpr auto names_of(PauseReason)
{
    using fields::Named;
    return std::array{Named{PauseReason::user, "user"}, Named{PauseReason::failures, "failures"},
                      Named{PauseReason::time_zone, "time_zone"}};
}

// If one is due while an earlier one has not ended.
enum class Overlap { skip, queue, cancel, allow };

constexpr auto names_of(Overlap)
{
    using fields::Named;
    return std::array{Named{Overlap::skip, "skip"}, Named{Overlap::queue, "queue"},
                      Named{Overlap::cancel, "cancel"}, Named{Overlap::allow, "allow"}};
}

// Which of the times that nothing could enter in time are run later.
enum class CatchUp { none, latest, all };

constexpr auto names_of(CatchUp)
{
    using fields::Named;
    return std::array{Named{CatchUp::none, "none"}, Named{CatchUp::latest, "latest"},
                      Named{CatchUp::all, "all"}};
}

enum class AutomationRunStatus {
    queued,
    running,
    waiting,  // For the next attempt.
    completed,
    failed,
    cancelled,
    skipped,
    missed,
};

constexpr auto names_of(AutomationRunStatus)
{
    using fields::Named;
    using Status = AutomationRunStatus;
    return std::array{Named{Status::queued, "queued"},   Named{Status::running, "running"},
                      Named{Status::waiting, "waiting"}, Named{Status::completed, "completed"},
                      Named{Status::failed, "failed"},   Named{Status::cancelled, "cancelled"},
                      Named{Status::skipped, "skipped"}, Named{Status::missed, "missed"}};
}

constexpr bool has_ended(AutomationRunStatus status)
{
    return status != AutomationRunStatus::queued && status != AutomationRunStatus::running &&
           status != AutomationRunStatus::waiting;
}

// `loop`: the automation was caused by others, one after the other, too many times.
enum class SkipReason { overlap, queue_full, budget, paused, loop };

constexpr auto names_of(SkipReason)
{
    using fields::Named;
    return std::array{Named{SkipReason::overlap, "overlap"},
                      Named{SkipReason::queue_full, "queue_full"},
                      Named{SkipReason::budget, "budget"}, Named{SkipReason::paused, "paused"},
                      Named{SkipReason::loop, "loop"}};
}

}  // namespace parley
