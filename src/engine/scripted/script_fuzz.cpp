// Fuzzes the scripted model with messages. It must not crash. The text must be the message without
// its directives, and must be complete for any division into deltas and after any resumption.
#include "base/utf8.hpp"
#include "engine/scripted/deltas.hpp"
#include "engine/scripted/script.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace parley::engine::scripted;

void must(bool holds)
{
    if (!holds) std::abort();
}

std::string rest_of(Deltas& deltas, bool is_text)
{
    std::string text;
    while (deltas.more()) {
        const std::string delta = deltas.take();
        must(!delta.empty());
        must(!is_text || parley::utf8::valid(delta));
        text += delta;
    }
    return text;
}

bool is_part_of(std::string_view part, std::string_view whole)
{
    for (const char c : part) {
        const std::size_t found = whole.find(c);
        if (found == whole.npos) return false;
        whole.remove_prefix(found + 1);
    }
    return true;
}

}  // namespace

// The first byte selects the length of a stop sequence, and the point of resumption.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    std::string_view message(reinterpret_cast<const char*>(data + 1), size - 1);
    const std::string stop(message.substr(0, data[0] % 8U));
    message.remove_prefix(stop.size());
    const bool is_text = parley::utf8::valid(message) && parley::utf8::valid(stop);

    const Script script = read_script(message);
    must(is_part_of(script.text, message));
    must(!is_text || parley::utf8::valid(script.text));
    must(!script.words || (*script.words >= 0 && *script.words <= Script::max_words));
    must(script.delay <= Script::max_delay && script.first_delay <= Script::max_delay);

    Deltas whole(script.text, {}, {});
    must(rest_of(whole, is_text) == script.text);
    must(whole.taken() == count_words(script.text));

    Deltas cut(script.text, {}, {stop});
    const std::string said = rest_of(cut, is_text);
    must(said == script.text.substr(0, stop.empty() ? script.text.npos : script.text.find(stop)));
    must(cut.cut() == (said.size() < script.text.size()));

    Deltas before(script.text, {}, {stop});
    std::string so_far;
    for (int i = data[0] / 8; i > 0 && before.more(); --i) so_far += before.take();
    Deltas after(script.text, {}, {stop});
    after.skip(so_far.size());
    must(after.taken() == before.taken());
    must(so_far + rest_of(after, is_text) == said);
    return 0;
}
