// The operator's limit of the time for which idle sessions are kept.
#pragma once

#include <cstdint>
#include <optional>

namespace parley::api {

struct RetentionLimit {
    std::optional<std::int64_t> max_days = {};
};

}  // namespace parley::api
