// Fuzzes the readers of files of exports with bytes. They must not crash or hang; the objects of a
// text are in it, one after another, and none is longer than allowed.
#include "moving/json_elements.hpp"
#include "moving/zip.hpp"

#include <cstdint>
#include <cstdlib>
#include <sstream>

namespace {

using namespace parley;

constexpr std::size_t max_bytes = 200;

void must(bool holds)
{
    if (!holds) std::abort();
}

void read_elements(std::istream& in, const std::string* text)
{
    moving::JsonElements elements(in, max_bytes);
    std::size_t at = 0;
    for (;;) {
        const auto next = elements.next();
        if (!next && next.error().code == Errc::body_too_large) continue;
        if (!next || !*next) return;
        must((*next)->size() <= max_bytes && (*next)->starts_with('{') && (*next)->ends_with('}'));
        if (!text) continue;
        at = text->find(**next, at);
        must(at != std::string::npos);
        at += (*next)->size();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    std::istringstream in(text);
    if (!moving::is_zip(in)) {
        read_elements(in, &text);
        return 0;
    }
    auto zip = moving::Zip::open(in);
    if (!zip) return 0;
    for (const moving::ZipEntry& entry : zip->entries())
        if (auto stream = zip->read(entry)) read_elements(**stream, nullptr);
    return 0;
}
