// A pipeline with everything it needs, for tests with their own route table.
#pragma once

#include "api/exchange_for_tests.hpp"
#include "api/pipeline.hpp"
#include "base/log.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace parley::api {

// Captures the log of a test.
class CapturedLog {
public:
    CapturedLog() : fd_(memfd_create("log", MFD_CLOEXEC))
    {
        log::start({.format = log::Format::json, .fd = fd_});
    }
    CapturedLog(const CapturedLog&) = delete;
    CapturedLog& operator=(const CapturedLog&) = delete;
    ~CapturedLog()
    {
        log::stop();
        close(fd_);
    }

    std::string text() const
    {
        log::flush();
        std::string text(static_cast<std::size_t>(lseek(fd_, 0, SEEK_END)), '\0');
        const auto got = pread(fd_, text.data(), text.size(), 0);
        text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        return text;
    }

    // The lines that have this message.
    std::vector<boost::json::object> lines(std::string_view message) const
    {
        std::vector<boost::json::object> found;
        std::istringstream all(text());
        for (std::string line; std::getline(all, line);) {
            auto object = boost::json::parse(line).as_object();
            if (object.at("message").as_string() == message) found.push_back(std::move(object));
        }
        return found;
    }

private:
    int fd_;
};

struct TestedPipeline {
    explicit TestedPipeline(std::vector<Route> table, PipelineOptions options = {})
        : pipeline(std::move(table), services, metrics, clock, std::move(options))
    {
    }
    // For rows that need services: add_services(services) runs before the pipeline is built.
    template <class AddServices>
    TestedPipeline(std::vector<Route> table, AddServices add_services, PipelineOptions options = {})
        : pipeline(std::move(table), (add_services(services), services), metrics, clock,
                   std::move(options))
    {
    }

    // Copies the content to `body` if it is shared.
    http::Response serve(RecordedExchange& exchange)
    {
        http::Response response = block_on(pipeline.serve(exchange));
        response.body = response.content();
        return response;
    }
    http::Response ask(std::string method, std::string target, std::vector<std::string> fields = {},
                       std::string body = {})
    {
        RecordedExchange exchange(std::move(method), std::move(target), std::move(fields),
                                  std::move(body));
        return serve(exchange);
    }
    http::Response post_json(std::string target, std::string body)
    {
        return ask("POST", std::move(target), {"Content-Type: application/json"}, std::move(body));
    }

    CapturedLog log;
    ManualClock clock;
    metrics::Metrics metrics;
    Services services;
    Pipeline pipeline;
};

inline boost::json::object json_of(const http::Response& response)
{
    return boost::json::parse(response.body).as_object();
}

inline std::string code_of(const http::Response& response)
{
    return boost::json::value_to<std::string>(json_of(response).at("code"));
}

inline std::string field_of(const http::Response& response, std::string_view name)
{
    return std::string(response.fields.get(name).value_or("(none)"));
}

}  // namespace parley::api
