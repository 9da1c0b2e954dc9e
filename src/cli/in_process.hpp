// The API without a server: the same routes and rules, over the store of a data directory that this
// process has locked.
#pragma once

#include "api/pipeline.hpp"
#include "api/removed_users.hpp"
#include "app/store_parts.hpp"
#include "base/log.hpp"
#include "cli/api_client.hpp"

namespace parley::cli {

class InProcess final : public ApiTransport {
public:
    // Creates the store if it is missing. Fails with a message for the operator.
    static Result<std::unique_ptr<ApiTransport>> open(app::Settings settings);

    Result<Answered> send(const std::string& method, const std::string& target,
                          const std::string& json_body) override;

private:
    // Suppresses the log: it is not part of a command's output.
    struct QuietLog {
        QuietLog() { log::start({.level = log::Level::warn}); }
        QuietLog(const QuietLog&) = delete;
        QuietLog& operator=(const QuietLog&) = delete;
        ~QuietLog() { log::stop(); }
    };

    InProcess(std::unique_ptr<QuietLog> log, metrics::Metrics& metrics,
              std::unique_ptr<app::StoreParts> parts);

    std::unique_ptr<QuietLog> log_;  // Destroyed last.
    std::unique_ptr<app::StoreParts> parts_;
    const api::RemovedUsers removed_users_;
    api::Services services_;
    std::unique_ptr<api::Pipeline> pipeline_;
};

}  // namespace parley::cli
