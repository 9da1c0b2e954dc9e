// Exact rate limits. A caller asks a Limiter whether a request of a class may pass, by the keys
// that pay for it: its user, its token, or the client's address. Adapters are rooms of their own
// (limits/local).
#pragma once

#include "limits/classes.hpp"
#include "limits/client_address.hpp"
#include "limits/key.hpp"
#include "limits/limiter.hpp"
