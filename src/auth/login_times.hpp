// How long a login and its tokens live.
#pragma once

#include <chrono>

namespace parley::auth {

struct LoginTimes {
    std::chrono::seconds access{3600};
    std::chrono::seconds refresh{30 * 24 * 3600};
    std::chrono::seconds grace{60};
    std::chrono::seconds login{90 * 24 * 3600};  // However often it is refreshed.
};

}  // namespace parley::auth
