// The models that this server offers, by the names that clients know.
//
// Threads: filled at start; read from any thread after that.
#pragma once

#include "base/clock.hpp"
#include "engine/engine.hpp"

#include <map>
#include <string>
#include <string_view>

namespace parley::engine {

// The name under which the scripted model is always there.
inline constexpr std::string_view scripted_name = "scripted";

class Models {
public:
    void add(std::string name, std::unique_ptr<Engine> engine)
    {
        engines_.insert_or_assign(std::move(name), std::move(engine));
    }
    void set_default(std::string name) { default_ = std::move(name); }

    // Null where there is none of this name.
    Engine* find(std::string_view name) const
    {
        const auto found = engines_.find(name);
        return found == engines_.end() ? nullptr : found->second.get();
    }
    const std::string& default_name() const { return default_; }

    TimePoint offered_since() const { return offered_since_; }
    const std::map<std::string, std::unique_ptr<Engine>, std::less<>>& all() const
    {
        return engines_;
    }

private:
    std::map<std::string, std::unique_ptr<Engine>, std::less<>> engines_;
    std::string default_{scripted_name};
    TimePoint offered_since_ = system_clock().now();
};

}  // namespace parley::engine
