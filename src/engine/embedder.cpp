#include "engine/embedder.hpp"

#include <cmath>

namespace parley::engine {

bool normalize(std::span<float> vector)
{
    double sum = 0;
    for (const float each : vector) sum += static_cast<double>(each) * static_cast<double>(each);
    if (!std::isfinite(sum) || sum <= 0) return false;
    const double factor = 1 / std::sqrt(sum);
    for (float& each : vector) each = static_cast<float>(static_cast<double>(each) * factor);
    return true;
}

}  // namespace parley::engine
