// Waits in tests for what another thread or the server does.
#pragma once

#include <chrono>
#include <thread>

namespace parley::store::postgres {

template <class Condition>
bool comes_true(const Condition& condition)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (std::chrono::steady_clock::now() < end) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
}

}  // namespace parley::store::postgres
