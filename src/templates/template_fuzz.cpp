// Reads anything as a template, and fills it with a value of anything. What is understood must be
// filled in one pass, so that text without places and the value are all that the message contains.
#include "templates/templates.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace parley::templates;

void require(bool holds)
{
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::size_t split = std::min<std::size_t>(data[0], size - 1);
    const std::string_view value = bytes.substr(1, split);
    const std::string_view message = bytes.substr(1 + split);
    const auto parsed =
        Template::parse(message, {{.name = "a"}, {.name = "b", .max_bytes = 5, .cut = true}});
    if (!parsed) {
        require(message.find("{{") != message.npos);
        return 0;
    }
    const boost::json::value payload{{"a", value}, {"b", value}};
    const auto filled = parsed->fill(payload, {}, 10'000);
    if (!filled) return 0;
    require(filled->message.size() <= 10'000);
    require(filled->values[0].text == value && filled->values[1].text.size() <= 5);
    if (message.find("{{") == message.npos) require(filled->message == message);
    // An empty value leaves the text of the template alone, which is no longer than the template.
    const auto empty = parsed->fill({{"a", ""}, {"b", ""}}, {}, 10'000);
    if (empty) require(empty->message.size() <= message.size());
    return 0;
}
