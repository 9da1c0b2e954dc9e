// What `parley doctor` has found out about one thing. The checks are functions of what they look
// at, one file for each part of the surroundings: doctor_data, doctor_network, doctor_models,
// doctor_upstreams, doctor_system.
//
// They only look: none of them makes, locks or changes anything.
#pragma once

#include "app/data_directory.hpp"
#include "app/local_models.hpp"
#include "app/settings.hpp"
#include "base/clock.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::cli {

enum class Verdict { ok, warn, fail };

struct Finding {
    std::string_view check;
    Verdict verdict = Verdict::ok;
    std::string finding;      // What is so.
    std::string advice = {};  // What to do about it, where that is needed.
};

using Holder = std::optional<app::LockHolder>;

// doctor_data.cpp
Finding check_directory(const app::DataPaths& paths, const Holder& holder);
Finding check_disk(const app::DataPaths& paths, std::int64_t min_free_mib);
Finding check_store_file(const app::DataPaths& paths, const std::string& kind);

// doctor_network.cpp. `holder`: the server that works in our data directory, which may be the one
// that has the port.
Finding check_port(std::string_view check, const std::string& address, const Holder& holder);
Finding check_certificate(const std::string& certificate, const std::string& key, TimePoint now);

// doctor_models.cpp. What the model takes is no longer available to the next one.
Finding check_model(const app::LocalModel& model, std::uint64_t& available);

// doctor_upstreams.cpp. Asks each server of each upstream model for its list of models, for five
// seconds at most.
std::vector<Finding> check_upstreams(const app::Settings& settings);

// doctor_system.cpp
Finding check_clock(const app::DataPaths& paths, TimePoint now);
Finding check_synchronised();
Finding check_descriptors(std::uint64_t most, std::int64_t max_connections);
Finding check_memory(std::uint64_t available_mib, unsigned cores);

}  // namespace parley::cli
