// One question and its answer, over a running server, for a user in a terminal: printed while it is
// written. A broken connection is resumed, also after a restart of the server; Ctrl-C stops the
// answer, not the program (interruption.hpp), and a second one stops waiting for the server.
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

// The address of a running server.
struct ServerPlace {
    std::string url;
    std::string certificate;  // Fingerprint of its certificate; empty without TLS.
};
// Fails with a message if none runs.
Result<ServerPlace> place_of_server(const app::DataPaths& paths);

struct ChatTurn {
    // Called before each connection: a restarted server may have another address.
    std::function<Result<ServerPlace>()> find_server;
    const Secret& token;
    boost::json::object body;  // The body of POST /v1/api/chat/query, without `stream`.

    // Called with the data of each event; returns false to stop.
    std::function<bool(const boost::json::object& event)> hear;
    // Called with a message about the connection.
    std::function<void(const std::string& sentence)> tell;

    // Returns the run of the last event. Fails with a message.
    Result<boost::json::object> ask();
};

}  // namespace parley::cli
