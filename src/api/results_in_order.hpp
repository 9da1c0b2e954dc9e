// Results of calls that follow one another, in the order of the calls: a model that writes no ids
// gives a result to the call at the same place, and clients send results as they come.
//
// Threads: plain values.
#pragma once

#include "engine/tool_text.hpp"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace parley::api {

class ResultsInOrder {
public:
    bool empty() const { return results_.empty(); }

    // `call`: the place of its call among all calls.
    void add(std::size_t call, engine::ToolResult result)
    {
        results_.emplace(call, std::move(result));
    }

    std::vector<engine::ToolResult> take()
    {
        std::vector<engine::ToolResult> taken;
        taken.reserve(results_.size());
        for (auto& [call, result] : results_) taken.push_back(std::move(result));
        results_.clear();
        return taken;
    }

private:
    std::multimap<std::size_t, engine::ToolResult> results_;  // Equal keys stay in order.
};

}  // namespace parley::api
