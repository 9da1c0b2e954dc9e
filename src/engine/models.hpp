// The models that this server offers, by the names that clients know.
//
// Threads: filled at start; read from any thread after that.
#pragma once

#include "base/clock.hpp"
#include "engine/engine.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::engine {

// The name of the scripted model, which always exists.
inline constexpr std::string_view scripted_name = "scripted";

class Models {
public:
    void add(std::string name, std::unique_ptr<Engine> engine)
    {
        engines_.insert_or_assign(std::move(name), std::move(engine));
    }
    void set_default(std::string name) { default_ = std::move(name); }

    // Null if there is none of this name.
    Engine* find(std::string_view name) const
    {
        const auto found = engines_.find(name);
        return found == engines_.end() ? nullptr : found->second.get();
    }
    const std::string& default_name() const { return default_; }

    // Those that are not hidden: the default one first, the scripted one last.
    void hide(std::string name) { hidden_.insert(std::move(name)); }
    std::vector<std::string> listed() const
    {
        std::vector<std::string> names;
        for (const auto& [name, engine] : engines_)
            if (!hidden_.contains(name)) names.push_back(name);
        const auto place = [this](const std::string& name) {
            return std::pair(name == scripted_name ? 2
                             : name == default_    ? 0
                                                   : 1,
                             std::string_view(name));
        };
        std::ranges::sort(names, std::less{}, place);
        return names;
    }

    TimePoint offered_since() const { return offered_since_; }
    const std::map<std::string, std::unique_ptr<Engine>, std::less<>>& all() const
    {
        return engines_;
    }

private:
    std::map<std::string, std::unique_ptr<Engine>, std::less<>> engines_;
    std::set<std::string, std::less<>> hidden_;
    std::string default_{scripted_name};
    TimePoint offered_since_ = system_clock().now();
};

}  // namespace parley::engine
