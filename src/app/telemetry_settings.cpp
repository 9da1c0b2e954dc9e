#include "app/telemetry_settings.hpp"

#include "app/setting_kinds.hpp"

namespace parley::app {

Setting otlp_url_setting()
{
    return setting_kinds::text("telemetry.otlp_url", setting_kinds::at(&Settings::otlp_url),
                               "Base URL of an OpenTelemetry collector (OTLP over HTTP), e.g. "
                               "http://127.0.0.1:4318. Empty: no spans are recorded.");
}

Setting otlp_headers_setting()
{
    return setting_kinds::text(
        "telemetry.headers_file", setting_kinds::at(&Settings::otlp_headers_file),
        "File with header fields for the collector, one `Name: value` per line; other "
        "users must not be able to read it.");
}

}  // namespace parley::app
