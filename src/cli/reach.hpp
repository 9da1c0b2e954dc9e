// How a command gets at the data: through the interface of the server that runs on them, with the
// token that it keeps for us; or, where none runs, through the same interface inside this process,
// over the store that we open ourselves. The lock of the data directory keeps the two apart.
#pragma once

#include "app/data_directory.hpp"
#include "cli/command.hpp"

#include <boost/json/object.hpp>

#include <memory>
#include <string>

namespace parley::cli {

// What was answered, whoever did.
struct Answered {
    int status = 0;
    std::string body;
};

class Interface {
public:
    virtual ~Interface() = default;

    // Fails with a sentence where there is no answer.
    virtual Result<Answered> send(const std::string& method, const std::string& target,
                                  const std::string& json_body) = 0;
};

struct Reached {
    app::DataPaths paths;
    std::unique_ptr<Interface> interface;

    // What is answered, an object; empty for 204. A problem is an error with its own sentence.
    Result<boost::json::object> ask(const std::string& method, const std::string& target,
                                    const boost::json::object& body = {});
};

// Fails with a sentence; with not_found where there is no data at all.
Result<Reached> reach(const Common& common);

}  // namespace parley::cli
