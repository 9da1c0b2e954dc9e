// The nouns of the product, each with the names that clients and databases have for its values:
// conversations, their images and runs, automations, the event log, roles and the limits of users.
// Plain types without rules: the rules are in auth, chat and automation.
#pragma once

#include "domain/automation.hpp"
#include "domain/chat.hpp"
#include "domain/event.hpp"
#include "domain/image.hpp"
#include "domain/limits_change.hpp"
#include "domain/own_limits.hpp"
#include "domain/role.hpp"
#include "domain/run_event.hpp"
