// Webhooks as the standards have them: signatures of calls that are sent and received, and when a
// failed delivery is tried again. Pure functions: what is sent, and by whom, is decided elsewhere.
#pragma once

#include "webhook/retry.hpp"
#include "webhook/signature.hpp"
