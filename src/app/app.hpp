// The whole server: makes its parts in order, runs them, and ends them in the reverse order.
#pragma once

#include "app/settings.hpp"

namespace parley::app {

// Serves until SIGTERM or SIGINT, which let it finish what it has begun; a second one ends it at
// once. SIGHUP loads the TLS files anew. To be called by the main thread, before there are others:
// it is the one that waits for signals. Fails with a sentence if the server cannot start.
Result<> serve(const Settings& settings);

}  // namespace parley::app
