#include "cli/finding.hpp"
#include "engine/gguf/placement.hpp"

#include <algorithm>

namespace parley::cli {
namespace {

std::string in_mib(std::uint64_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

// The memory that the model needs.
std::string needs(const engine::gguf::Facts& facts, const engine::gguf::Wish& wish,
                  const engine::gguf::Placement& placed)
{
    if (placed.gpu_layers > 0)
        return "needs " + in_mib(placed.gpu_bytes) + " of GPU memory for " +
               std::to_string(placed.gpu_layers) + " of " + std::to_string(facts.layers + 1) +
               " layers and " + std::to_string(placed.slots) + " conversations, and " +
               in_mib(placed.system_bytes) + " of memory";
    const auto figures =
        engine::gguf::memory_need(facts, engine::gguf::context_of(facts, wish.context));
    return "needs " + in_mib(figures.at_rest) + " of memory at rest, " +
           in_mib(figures.per_conversation) + " more for each full conversation";
}

}  // namespace

Finding check_model(const models::LocalModel& model, engine::gguf::FreeMemory& free)
{
    Finding found{.check = "model", .finding = model.name + ", " + model.options.path};
    const auto facts = engine::gguf::examine(model.options.path);
    if (!facts) {
        found.verdict = Verdict::fail;
        found.finding = model.name + ": " + facts.error().message;
        found.advice = "Download the file again, or remove it.";
        return found;
    }
    const auto placed = engine::gguf::place(*facts, model.options.memory, free);
    if (!placed) {
        found.verdict = Verdict::fail;
        found.finding = model.name + ": " + placed.error().message;
        if (free.gpu == 0 && model.options.memory.gpu_layers > 0)
            found.advice = "Set models." + model.name +
                           ".gpu_layers to 0 or -1, or see the guide about choosing a model.";
        else
            found.advice = "Set a smaller models." + model.name +
                           ".context, .slots, .cache_mib or .gpu_layers, remove other models, or "
                           "give the machine more memory.";
        return found;
    }
    free.system -= placed->system_bytes;
    free.gpu -= std::min(free.gpu, placed->gpu_bytes);
    found.finding += ", " + needs(*facts, model.options.memory, *placed);
    return found;
}

std::vector<Finding> check_gpus(const engine::llama::Gpus& gpus)
{
    std::vector<Finding> findings;
    findings.reserve(gpus.faults.size() + gpus.devices.size());
    for (const std::string& fault : gpus.faults)
        findings.push_back({.check = "gpu",
                            .verdict = Verdict::warn,
                            .finding = fault,
                            .advice = "Install the libraries that it names, or rebuild it with "
                                      "this version of Parley."});
    for (const auto& gpu : gpus.devices)
        findings.push_back({.check = "gpu", .finding = models::described(gpu)});
    if (!findings.empty()) return findings;
    Finding none{.check = "gpu", .finding = "none; models run on the CPU"};
    if (gpus.backends > 0) {
        none.verdict = Verdict::warn;
        none.advice = models::why_no_gpu(gpus);
    }
    return {none};
}

}  // namespace parley::cli
