// The limits of runs, and the services that decide what may be stored and what has expired.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/trusted_time.hpp"
#include "cluster/alone/alone.hpp"
#include "cluster/cluster.hpp"

#include <chrono>
#include <cstddef>
#include <functional>

namespace parley::chat {

struct RunOptions {
    std::size_t max_concurrent = 64;
    std::size_t max_queued = 1000;
    // The limit of all servers that share the store; 0: as many as each of them allows.
    std::size_t max_of_all_servers = 0;
    std::chrono::seconds timeout{300};
    std::chrono::seconds events_keep{std::chrono::hours(24)};
    // Fails if nothing new should be stored, because the disk is nearly full. Called for each new
    // run.
    std::function<Result<>()> check_room = {};
    const Clock* clock = &system_clock();
    // Decides what has expired and when it may be removed. Null: the clock decides, and removal is
    // always allowed.
    const TrustedTime* expiry = nullptr;
    // The servers that share the store.
    cluster::Cluster* cluster = &cluster::alone();
};

}  // namespace parley::chat
