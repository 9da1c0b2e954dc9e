// The errors with which every store refuses a change.
#pragma once

#include "base/error.hpp"

#include <boost/json/array.hpp>

#include <string>
#include <vector>

namespace parley::store {

inline Error name_is_taken() { return {Errc::conflict, "This name is taken."}; }
inline Error operator_is_there() { return {Errc::conflict, "An operator already exists."}; }
inline Error last_operator()
{
    return {Errc::conflict, "This is the last operator: make another user an operator first."};
}
inline Error token_has_ended()
{
    return {Errc::invalid_token, "The token was revoked, or its rights have changed."};
}
inline Error token_is_there() { return {Errc::conflict, "A token with this id already exists."}; }
// Internal, because conflict has another meaning for a refresh, and new ids are unique.
inline Error new_token_is_there() { return {Errc::internal, "a new token id already exists"}; }
inline Error password_was_changed()
{
    return {Errc::conflict, "The password was changed in the meantime."};
}
inline Error second_factor_was_changed()
{
    return {Errc::conflict, "The second factor was changed or its code was used in the meantime."};
}
inline Error identity_is_taken()
{
    return {Errc::conflict, "This identity belongs to another user."};
}
inline Error attempt_was_used()
{
    return {Errc::conflict, "This attempt to log in was used before."};
}
inline Error refresh_token_was_used()
{
    return {Errc::conflict, "This refresh token was used before: its login has been ended."};
}

inline Error session_is_there()
{
    return {Errc::conflict, "A session with this id already exists."};
}
inline Error session_was_changed()
{
    return {Errc::precondition_failed, "The session was changed in the meantime."};
}
inline Error session_is_busy(const std::vector<std::string>& active_runs)
{
    Error error{Errc::session_busy,
                "A run is already answering at this point of the session. Wait for its end, or "
                "branch with parent_message_id."};
    error.extra["active_run_ids"] = boost::json::array(active_runs.begin(), active_runs.end());
    error.retry_after = std::chrono::seconds(1);
    return error;
}
inline Error queue_is_full()
{
    // An estimate: the time until a place becomes free is not known.
    return {.code = Errc::overloaded,
            .message = "The queue of runs is full.",
            .retry_after = std::chrono::seconds(5)};
}
inline Error automation_was_changed()
{
    return {Errc::precondition_failed, "The automation was changed in the meantime."};
}
inline Error automation_is_busy()
{
    return {.code = Errc::automation_busy,
            .message = "An earlier run of this automation has not ended, and its overlap is skip.",
            .retry_after = std::chrono::seconds(1)};
}
inline Error too_many_automations(std::size_t most)
{
    return {Errc::quota_reached, "You have " + std::to_string(most) +
                                     " automations, the most that this server allows. Delete one "
                                     "first."};
}
inline Error webhook_was_changed()
{
    return {Errc::precondition_failed, "The webhook was changed in the meantime."};
}
inline Error too_many_webhooks(std::size_t most)
{
    return {Errc::quota_reached, "You have " + std::to_string(most) +
                                     " webhooks, the most that this server allows. Delete one "
                                     "first."};
}
inline Error webhook_is_disabled()
{
    return {Errc::conflict, "The webhook is disabled: set its state to active first."};
}
// `left`: of the day; the next one begins in `wait`.
inline Error budget_is_used_up(std::int64_t budget, std::int64_t left, std::chrono::seconds wait)
{
    std::string message = "Your budget of " + std::to_string(budget) + " output tokens per day ";
    if (left > 0)
        message += "has " + std::to_string(left) +
                   " left, fewer than this request may use; lower its maximum of output tokens.";
    else
        message += "is used up; the next day begins at 00:00 UTC.";
    return {.code = Errc::budget_used_up, .message = std::move(message), .retry_after = wait};
}
inline Error output_tokens_are_used_up()
{
    return {Errc::quota_reached, "The automation has used up its output tokens of 24 hours."};
}
inline Error too_many_starts(std::chrono::seconds wait)
{
    return {.code = Errc::rate_limited,
            .message = "Automations have started the most runs of a minute.",
            .retry_after = wait};
}
inline Error cannot_begin_attempt()
{
    return {Errc::conflict, "This run of an automation cannot begin an attempt now."};
}
inline Error cannot_be_retried()
{
    return {Errc::conflict,
            "Only a run that has failed, was skipped or was missed can be tried again."};
}
inline Error line_is_full()
{
    return {Errc::conflict,
            "100 runs of this automation have not ended: try it again when some of them have."};
}
inline Error wrong_parent(std::string why)
{
    return validation_failed({{"#/parent_message_id", "not_allowed", std::move(why)}});
}
inline Error not_a_question()
{
    return wrong_parent("must name a message of role user, to be answered again");
}
inline Error key_is_bound_otherwise()
{
    return {Errc::idempotency_mismatch,
            "This Idempotency-Key was used with another request; use a new key for each request."};
}
inline Error run_has_ended() { return {Errc::conflict, "This run has ended already."}; }
// Internal, because new ids of messages and runs are unique.
inline Error new_id_is_there()
{
    return {Errc::internal, "a new message or run id already exists"};
}

}  // namespace parley::store
