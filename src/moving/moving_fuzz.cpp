// Fuzzes the readers of conversations with bytes. They must not crash; each message of the source
// is imported or skipped, parents come first, and no message follows on one of its own role.
#include "base/json.hpp"
#include "moving/moving.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace parley;

void must(bool holds)
{
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto parsed = json::parse({reinterpret_cast<const char*>(data), size});
    if (!parsed || !parsed->is_object()) return 0;
    for (const auto& each : names_of(moving::Format{})) {
        const auto read =
            moving::read_conversation(each.value, parsed->get_object(), TimePoint(), "#");
        if (!read) continue;
        must(!read->newest || *read->newest < read->messages.size());
        for (std::size_t i = 0; i < read->messages.size(); ++i) {
            const moving::ReadMessage& message = read->messages[i];
            must(!message.parts.empty());
            if (!message.parent) continue;
            must(*message.parent < i);
            must(read->messages[*message.parent].speaker != message.speaker);
        }
    }
    return 0;
}
