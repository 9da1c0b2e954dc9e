// Fuzzes the reading of schemas. A schema must be refused with faults within their limits, or
// accepted; then the smallest value is valid and compact, and there is a grammar.
#include "base/json.hpp"
#include "schema/schema.hpp"

#include <cstdint>
#include <cstdlib>

namespace parley {
namespace {

void require(bool holds)
{
    if (!holds) std::abort();
}

}  // namespace
}  // namespace parley

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace parley;
    const auto parsed = json::parse({reinterpret_cast<const char*>(data), size});
    if (!parsed) return 0;
    Faults faults;
    const fields::Reading reading{.faults = faults};
    const auto checked = schema::check(*parsed, fields::FieldPath(reading, "#"));
    require((checked == nullptr) == !faults.empty());
    require(faults.size() <= max_faults + 1);
    if (!checked) return 0;
    const std::string smallest = schema::smallest_of(*checked);
    const auto value = schema::valid(*checked, smallest);
    require(value.has_value());
    require(schema::compact(*checked, *value) == smallest);
    require(!schema::grammar_of(*checked).empty());
    const auto again = schema::restored(checked->text);
    require(again && schema::smallest_of(*again) == smallest);
    return 0;
}
