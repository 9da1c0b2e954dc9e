// The forms of texts that occur in many places of what travels: times and ids.
#pragma once

#include "base/field_notes.hpp"

namespace parley::api {

inline constexpr auto moment = wire::format("date-time");

inline constexpr auto id_of_user = wire::pattern("^usr_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_token = wire::pattern("^tok_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_session = wire::pattern("^ses_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_message = wire::pattern("^msg_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_run = wire::pattern("^run_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_event = wire::pattern("^evt_[0-9A-Za-z_]{1,36}$");

}  // namespace parley::api
