#include "app/local_models.hpp"
#include "cli/finding.hpp"
#include "engine/gguf/memory_need.hpp"

namespace parley::cli {

Finding check_model(const app::LocalModel& model, std::uint64_t& available)
{
    Finding found{.check = "model", .finding = model.name + ", " + model.file.string()};
    const auto facts = engine::gguf::examine(model.file);
    if (!facts) {
        found.verdict = Verdict::fail;
        found.finding = model.name + ": " + facts.error().message;
        found.advice = "Fetch the file again, or remove it.";
        return found;
    }
    const auto context = static_cast<std::uint64_t>(model.context);
    if (const auto fits = engine::gguf::check_fits(*facts, context, available); !fits) {
        found.verdict = Verdict::fail;
        found.finding = model.name + ": " + fits.error().message;
        found.advice = "Set a smaller models." + model.name +
                       ".context, remove other models, or give the machine more memory.";
        return found;
    }
    const std::uint64_t need =
        engine::gguf::memory_need(*facts, engine::gguf::context_of(*facts, context), 1);
    available -= need;
    found.finding += ", needs " + std::to_string(need >> 20U) + " MiB of memory";
    return found;
}

}  // namespace parley::cli
