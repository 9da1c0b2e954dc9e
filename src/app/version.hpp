// The version of this build, as CMakeLists.txt states it.
#pragma once

namespace parley::app {

inline constexpr const char* version = PARLEY_VERSION;

}  // namespace parley::app
