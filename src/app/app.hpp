// The whole server: makes its parts in order, runs them, and ends them in the reverse order.
#pragma once

#include "app/settings.hpp"

namespace parley::app {

// Serves until SIGTERM or SIGINT, which let it finish requests in progress; a second signal ends it
// at once. SIGHUP reloads the TLS files. To be called by the main thread before other threads are
// started: it waits for signals. Fails with a message if the server cannot start.
Result<> serve(const Settings& settings);

}  // namespace parley::app
