// One question and its answer, over a running server, for a person in a terminal: shown as it
// comes. A connection that breaks off is taken up again, also where the server was killed and
// started anew; Ctrl-C stops the answer, not the program (interruption.hpp), and a second one stops
// waiting for the server.
//
// Threads: the one that calls.
#pragma once

#include "app/data_directory.hpp"
#include "base/error.hpp"
#include "base/secret.hpp"

#include <boost/json/object.hpp>

#include <functional>
#include <string>

namespace parley::cli {

// Where a running server is found.
struct ServerPlace {
    std::string url;
    std::string certificate;  // The fingerprint of its own; empty without TLS.
};
// Fails with a sentence where none runs.
Result<ServerPlace> place_of_server(const app::DataPaths& paths);

struct ChatTurn {
    // Called before each connection: a server that was restarted may be elsewhere.
    std::function<Result<ServerPlace>()> find_server;
    const Secret& token;
    boost::json::object body;  // Of POST /v1/api/chat/query, without `stream`.

    // Called with each event's data, as it comes; false where nobody listens any more.
    std::function<bool(const boost::json::object& event)> hear;
    // Called with a sentence about what goes on beside the answer.
    std::function<void(const std::string& sentence)> tell;

    // The run as its last event has it. Fails with a sentence.
    Result<boost::json::object> ask();
};

}  // namespace parley::cli
