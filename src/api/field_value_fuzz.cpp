// Fuzzes the readers of header field values. They must not crash or loop, and weights must stay
// within their range.
#include "api/accept.hpp"
#include "api/field_value.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace parley;
    const std::string_view value(reinterpret_cast<const char*>(data), size);

    http::RequestHead head;
    head.fields.push_back({"Accept", value});
    for (const char* type : {"text/html", "application/json"}) {
        const int wish = api::preference(head, type);
        if (wish < 0 || wish > 1000) std::abort();
    }
    std::string_view rest = value;
    while (!rest.empty()) {
        const std::size_t before = rest.size();
        api::take_parameter(rest);
        if (rest.size() >= before) std::abort();
    }
    return 0;
}
