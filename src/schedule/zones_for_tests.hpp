// For tests: the zones of this machine, loaded once.
#pragma once

#include "schedule/zone.hpp"

namespace parley::schedule {

inline const Zones& zones()
{
    static const Zones loaded = Zones::load().value();
    return loaded;
}

}  // namespace parley::schedule
