#include "cli/finding.hpp"
#include "models/local_models.hpp"

namespace parley::cli {

Finding check_model(const models::LocalModel& model, std::uint64_t& available)
{
    Finding found{.check = "model", .finding = model.name + ", " + model.options.path};
    const auto facts = engine::gguf::examine(model.options.path);
    if (!facts) {
        found.verdict = Verdict::fail;
        found.finding = model.name + ": " + facts.error().message;
        found.advice = "Download the file again, or remove it.";
        return found;
    }
    const auto need = engine::gguf::check_fits(*facts, model.options.memory, available);
    if (!need) {
        found.verdict = Verdict::fail;
        found.finding = model.name + ": " + need.error().message;
        found.advice =
            "Set a smaller models." + model.name +
            ".context, .slots or .cache_mib, remove other models, or give the machine more memory.";
        return found;
    }
    available -= *need;
    const std::uint64_t context = engine::gguf::context_of(*facts, model.options.memory.context);
    const auto figures = engine::gguf::memory_need(*facts, context);
    found.finding += ", needs " + std::to_string(figures.at_rest >> 20U) +
                     " MiB of memory at rest, " + std::to_string(figures.per_conversation >> 20U) +
                     " MiB more for each full conversation";
    return found;
}

}  // namespace parley::cli
