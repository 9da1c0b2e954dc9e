// The only server of its database: it has no lease and hears nothing.
#pragma once

#include "cluster/cluster.hpp"

namespace parley::cluster {

class Alone final : public Cluster {
public:
    std::int64_t me() const override { return 0; }
    bool is_fresh() const override { return true; }
    std::chrono::milliseconds silence() const override { return std::chrono::milliseconds(0); }
    std::size_t members() const override { return 1; }
    std::uint64_t times_fenced() const override { return 0; }
    bool is_first() const override { return true; }
    void drain() override {}
    void tell_others(const std::vector<std::string>& /*logs*/) override {}
    void listen(Callbacks /*callbacks*/) override {}
    void leave() override {}
};

// For servers and tests without other servers.
inline Cluster& alone()
{
    static Alone only;
    return only;
}

}  // namespace parley::cluster
