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
inline Error token_is_there() { return {Errc::conflict, "A token with this id already exists."}; }
// Internal, because conflict has another meaning for a refresh, and new ids are unique.
inline Error new_token_is_there() { return {Errc::internal, "a new token id already exists"}; }
inline Error password_was_changed()
{
    return {Errc::conflict, "The password was changed in the meantime."};
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
