#include "engine/gguf/placement.hpp"

#include <algorithm>

namespace parley::engine::gguf {
namespace {

constexpr std::uint64_t mebibyte = 1U << 20U;

// Compute buffers and the libraries of the GPU's maker.
constexpr std::uint64_t gpu_reserve = 512 * mebibyte;
constexpr std::uint64_t gpu_spare_share = 20;

// Defaults: unlike the memory of the machine, that of a GPU is taken at once for all slots. So they
// get a share of it, and other models and programs the rest.
constexpr std::uint64_t most_gpu_slots = 64;
constexpr std::uint64_t most_mixed_slots = 16;
constexpr std::uint64_t gpu_share_of_slots = 2;
constexpr std::uint64_t system_share_of_slots = 4;

// A model with its first layers in one memory and the last ones, which come first here, in another.
class Divided {
public:
    Divided(const Facts& facts, std::uint64_t context, std::uint64_t gpu_layers)
        : need_(memory_need(facts, context)),
          weights_(part(facts.embeds ? need_.at_rest : facts.tensor_bytes, gpu_layers,
                        facts.layers + 1)),
          conversation_(part(need_.per_conversation, gpu_layers, facts.layers))
    {
    }

    MemoryNeed gpu() const { return {.at_rest = weights_, .per_conversation = conversation_}; }
    MemoryNeed system() const
    {
        return {.at_rest = need_.at_rest - std::min(weights_, need_.at_rest),
                .per_conversation = need_.per_conversation - conversation_};
    }

private:
    static std::uint64_t part(std::uint64_t bytes, std::uint64_t layers, std::uint64_t of)
    {
        if (layers >= of) return bytes;
        return bytes / of * layers;
    }

    MemoryNeed need_;
    std::uint64_t weights_;
    std::uint64_t conversation_;
};

std::uint64_t usable(std::uint64_t gpu_free)
{
    const std::uint64_t spare = gpu_reserve + gpu_free / gpu_spare_share;
    return gpu_free > spare ? gpu_free - spare : 0;
}

// As many as fit into a share of the memory that the weights leave.
std::uint64_t slots_in(const MemoryNeed& need, std::uint64_t memory, std::uint64_t share,
                       std::uint64_t most)
{
    if (need.per_conversation == 0) return most;
    const std::uint64_t left = memory > need.at_rest ? memory - need.at_rest : 0;
    return std::clamp<std::uint64_t>(left / share / need.per_conversation, 1, most);
}

Result<Placement> only_in_system(const Facts& facts, const Wish& wish, std::uint64_t system)
{
    const auto need = check_fits(facts, wish, system);
    if (!need) return need.error();
    return Placement{.system_bytes = *need};
}

Error too_much_for_gpu(std::uint64_t layers, std::uint64_t need, std::uint64_t usable)
{
    return {Errc::model_unavailable,
            "With " + std::to_string(layers) + " layers on the GPU it needs " +
                std::to_string(need / mebibyte) + " MiB of GPU memory, and " +
                std::to_string(usable / mebibyte) +
                " are free: set a smaller gpu_layers, context or slots."};
}

// How many layers are to be on the GPUs; 0: as many as fit, and none does.
Result<std::uint64_t> choose_layers(const Facts& facts, const Wish& wish, std::uint64_t context,
                                    std::uint64_t memory)
{
    const auto need = [&](std::uint64_t layers) {
        return Divided(facts, context, layers).gpu().with(std::max<std::uint64_t>(1, wish.slots));
    };
    std::uint64_t layers = facts.layers + 1;
    if (wish.gpu_layers < 0) {
        while (layers > 0 && need(layers) > memory) --layers;
        return layers;
    }
    layers = std::min(layers, static_cast<std::uint64_t>(wish.gpu_layers));
    if (need(layers) > memory) return too_much_for_gpu(layers, need(layers), memory);
    return layers;
}

}  // namespace

Result<Placement> place(const Facts& facts, const Wish& wish, const FreeMemory& free)
{
    if (free.gpu == 0 && wish.gpu_layers > 0)
        return Error{Errc::model_unavailable,
                     "gpu_layers is " + std::to_string(wish.gpu_layers) +
                         ", but there is no GPU that this program can use."};
    if (free.gpu == 0 || wish.gpu_layers == 0) return only_in_system(facts, wish, free.system);
    const std::uint64_t context = context_of(facts, wish.context);
    const std::uint64_t memory = usable(free.gpu);
    const auto layers = choose_layers(facts, wish, context, memory);
    if (!layers) return layers.error();
    if (*layers == 0) return only_in_system(facts, wish, free.system);

    const Divided divided(facts, context, *layers);
    const auto system_bytes = check_need(divided.system(), context, wish, free.system);
    if (!system_bytes) return system_bytes.error();
    const bool whole = *layers >= facts.layers;
    std::uint64_t slots = facts.embeds ? 1 : wish.slots;
    if (slots == 0)
        slots = std::min(
            slots_in(divided.gpu(), memory, gpu_share_of_slots,
                     whole ? most_gpu_slots : most_mixed_slots),
            slots_in(divided.system(), free.system, system_share_of_slots, most_gpu_slots));
    return Placement{.gpu_layers = *layers,
                     .slots = slots,
                     .whole = whole,
                     .system_bytes = *system_bytes,
                     .gpu_bytes = divided.gpu().with(slots) + gpu_reserve};
}

}  // namespace parley::engine::gguf
