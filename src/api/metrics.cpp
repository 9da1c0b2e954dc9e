// GET /metrics, on a separate listener.
#include "metrics/metrics.hpp"

#include "api/api.hpp"

namespace parley::api {
namespace {

Result<http::Response> metrics_text(metrics::Metrics& metrics)
{
    http::Response response;
    response.fields.add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    response.body = metrics.text();
    return response;
}

}  // namespace

std::vector<Route> metrics_routes()
{
    return {
        route<metrics_text>("GET", "/metrics", "metricsText", "Metrics for Prometheus", open),
    };
}

}  // namespace parley::api
