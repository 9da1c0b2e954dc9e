// How a command gets at the data: through the interface of the server that runs on them, with the
// token that it keeps for us; or, if none runs, through the same interface inside this process,
// over the store, which we open with the settings of a server. Nothing else of the data directory
// is opened: what a server keeps besides, such as its limits, is as it was when the next one
// starts. The lock of the data directory keeps the two apart. With --url, through the interface of
// a server elsewhere.
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

class ApiTransport {
public:
    virtual ~ApiTransport() = default;

    // Fails with a sentence where there is no answer.
    virtual Result<Answered> send(const std::string& method, const std::string& target,
                                  const std::string& json_body) = 0;
};

struct ApiClient {
    app::DataPaths paths;  // Empty for a server elsewhere.
    std::unique_ptr<ApiTransport> interface;

    // What is answered, an object; empty for 204. A problem is an error with its own sentence.
    Result<boost::json::object> ask(const std::string& method, const std::string& target,
                                    const boost::json::object& body = {});
};

// A command that begins something makes the data directory; every other one has nothing to do
// there.
enum class IfMissing { fail, make };

// Fails with a sentence; with not_found if there is no data at all and none is to be made. A new
// directory is told of on standard error.
Result<ApiClient> reach(const Common& common, IfMissing missing = IfMissing::fail);

}  // namespace parley::cli
