// The formats of texts that occur in many requests and responses: times and ids.
#pragma once

#include "fields/notes.hpp"

namespace parley::api {

inline constexpr auto moment = fields::format("date-time");

inline constexpr auto id_of_user = fields::pattern("^usr_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_token = fields::pattern("^tok_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_session = fields::pattern("^ses_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_message = fields::pattern("^msg_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_run = fields::pattern("^run_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_automation = fields::pattern("^aut_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_automation_run = fields::pattern("^aru_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_webhook = fields::pattern("^whk_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_hook = fields::pattern("^hok_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_delivery = fields::pattern("^dlv_[0-9A-Za-z_]{1,36}$");
inline constexpr auto id_of_event = fields::pattern("^evt_[0-9A-Za-z_]{1,36}$");

}  // namespace parley::api
