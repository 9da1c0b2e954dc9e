// The settings of telemetry.
#pragma once

#include "app/settings.hpp"

namespace parley::app {

Setting otlp_url_setting();
Setting otlp_headers_setting();

}  // namespace parley::app
