// The result of one check of `parley doctor`. The checks are functions, one file for each area:
// doctor_data, doctor_network, doctor_models, doctor_upstreams, doctor_oidc, doctor_system.
//
// They only read: none of them creates, locks or changes anything.
#pragma once

#include "app/data_directory.hpp"
#include "app/settings.hpp"
#include "base/clock.hpp"
#include "http/tls.hpp"
#include "models/gpus.hpp"
#include "models/local_models.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::cli {

enum class Verdict { ok, warn, fail };

struct Finding {
    std::string_view check;
    Verdict verdict = Verdict::ok;
    std::string finding;      // The result.
    std::string advice = {};  // How to improve it; empty: nothing to do.
};

using Holder = std::optional<app::LockHolder>;

// doctor_data.cpp
Finding check_directory(const app::DataPaths& paths, const Holder& holder);
Finding check_disk(const app::DataPaths& paths, std::uint64_t min_free_bytes);
Finding check_store_file(const app::DataPaths& paths, const std::string& kind);

// doctor_postgres.cpp. Connects for at most 5 seconds, and changes nothing.
Finding check_postgres(const app::Settings& settings);
Finding check_replicas(const app::Settings& settings);

// doctor_network.cpp. `holder`: the server that uses the data directory, which may be the one that
// uses the port.
Finding check_port(std::string_view check, const std::string& address, const Holder& holder);
Finding check_certificate(const http::TlsFiles& files, TimePoint now);

// doctor_models.cpp. check_model() subtracts the memory of the model from `free`.
Finding check_model(const models::LocalModel& model, engine::gguf::FreeMemory& free);
std::vector<Finding> check_gpus(const engine::llama::Gpus& gpus);

// doctor_upstreams.cpp. Asks each server of each upstream model for its list of models, for five
// seconds at most.
std::vector<Finding> check_upstreams(const app::Settings& settings);

// doctor_oidc.cpp. Reads metadata and keys of the OpenID provider, if there is one.
std::vector<Finding> check_login_provider(const app::Settings& settings);

// doctor_system.cpp
Finding check_clock(const app::DataPaths& paths, TimePoint now);
Finding check_synchronised();
Finding check_time_zones(const std::filesystem::path& folder, TimePoint now);
Finding check_descriptors(std::uint64_t most, std::size_t max_connections);
Finding check_memory(std::uint64_t available_mib, unsigned cores);

}  // namespace parley::cli
