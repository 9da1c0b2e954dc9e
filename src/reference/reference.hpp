// The published API reference: the route table in chapters, the OpenAPI document that is generated
// from it, and the pages for people (/docs, /problems).
#pragma once

#include "api/route.hpp"
#include "api/static_resource.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"
#include "reference/openapi.hpp"

#include <boost/asio/thread_pool.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace parley::reference {

// The document of this server. It is generated when a client first asks for it: that takes a tenth
// of a second, as long as the rest of a start.
//
// Threads: from any event loop.
class Reference {
public:
    struct Documents {
        explicit Documents(const boost::json::object& document);

        api::StaticResource json;
        api::StaticResource yaml;
    };
    using DocumentsRef = std::shared_ptr<const Documents>;

    explicit Reference(OpenApiInfo info) : info_(std::move(info)) {}
    Reference(const Reference&) = delete;
    Reference& operator=(const Reference&) = delete;
    ~Reference();

    Task<DocumentsRef> documents();

private:
    DocumentsRef generate();

    const OpenApiInfo info_;
    Mutex mutex_;
    DocumentsRef made_ GUARDED_BY(mutex_);
    // The thread that generates; no event loop has to wait.
    std::unique_ptr<boost::asio::thread_pool> pool_ GUARDED_BY(mutex_);
};

// /openapi.json and /openapi.yaml. Asks for the service Reference.
std::vector<api::Route> reference_routes();

// /docs: the reference and the guides, for people. Nothing is loaded from another host.
std::vector<api::Route> docs_routes();

// /problems: what each kind of error means, and what to do about it.
std::vector<api::Route> problem_routes();

}  // namespace parley::reference
