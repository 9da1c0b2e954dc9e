// The HTTP server, which knows nothing of chats. A caller makes Loops (the threads), a Server on
// them, and hands it a Handler: it gets an Exchange for each request, and returns a Response or
// opens an EventStream. The client is a room of its own, http/client.
#pragma once

#include "http/address.hpp"
#include "http/exchange.hpp"
#include "http/loop.hpp"
#include "http/server.hpp"
#include "http/tls.hpp"
