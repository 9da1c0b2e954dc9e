// How a command accesses the data: through the API of the running server, with the token in its
// data directory; or, if none runs, through the same API inside this process, over the store, which
// is opened with the settings of a server. No other file of the data directory is opened, so that
// rate limits, for example, stay unchanged. The lock of the data directory ensures that only one
// process uses it. With --url, through the API of a server elsewhere.
#pragma once

#include "app/data_directory.hpp"
#include "cli/command.hpp"

#include <boost/json/object.hpp>

#include <memory>
#include <string>

namespace parley::cli {

// A response, of a server or of this process.
struct Answered {
    int status = 0;
    std::string body;
};

class ApiTransport {
public:
    virtual ~ApiTransport() = default;

    // Fails with a message if there is no response.
    virtual Result<Answered> send(const std::string& method, const std::string& target,
                                  const std::string& json_body) = 0;
};

struct ApiClient {
    app::DataPaths paths;  // Empty for a server elsewhere.
    std::unique_ptr<ApiTransport> interface;

    // The response, an object; empty for 204. A problem becomes an error with its detail and the
    // codes of its faults; not_found and rate_limited have their code, all others are internal.
    Result<boost::json::object> ask(const std::string& method, const std::string& target,
                                    const boost::json::object& body = {});
};

// Whether a command creates a missing data directory. Only commands that create data do.
enum class IfMissing { fail, make };

// Fails with a message; with not_found if there is no data directory and none is created. A new
// directory is reported on standard error.
Result<ApiClient> connect(const Common& common, IfMissing missing = IfMissing::fail);

}  // namespace parley::cli
