// Fuzzes the strict parser and the code after it. An accepted text must be the same after writing
// and reading it, Boost's parser must accept it, too, and reading it into a struct must give a
// struct or faults, within the limits.
#include "base/error.hpp"
#include "base/json.hpp"
#include "fields/read.hpp"
#include "fields/write.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace parley {
namespace {

struct Part {
    std::string type;
    double weight = 0;

    static constexpr auto fields()
    {
        return std::tuple(
            fields::field("type", &Part::type, "Its kind.", fields::one_of("text", "image")),
            fields::field("weight", &Part::weight, "How much.", fields::above(0, 1)));
    }
};

struct Query {
    std::string message;
    std::optional<std::int64_t> seed;
    fields::Nullable<std::string> parent;
    std::vector<Part> parts;
    std::map<std::string, std::string> metadata;
    bool stream = false;
    std::optional<boost::json::value> anything;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("message", &Query::message, "What is said.", length(1, 100)),
            field("seed", &Query::seed, "A number.", range(0, 4294967295)),
            field("parent", &Query::parent, "Where.", characters(1, 40)),
            field("parts", &Query::parts, "Parts.", length(0, 16), defaults_to(empty)),
            field("metadata", &Query::metadata, "Yours.", keys(characters(1, 64)),
                  each(characters(0, 512)), defaults_to(empty)),
            field("stream", &Query::stream, "As it comes.", defaults_to(false)),
            field("anything", &Query::anything, "Free."));
    }
};

void require(bool holds)
{
    if (!holds) std::abort();
}

void check_refusal(const Error& error)
{
    require(error.code == Errc::invalid_json);
    require(error.message.size() < 1024);
    std::string quoted;
    json::append_quoted(quoted, error.message);
    require(json::parse(quoted).has_value());
}

void check_struct(const boost::json::value& value)
{
    Faults faults;
    const auto query = fields::read<Query>(value, faults);
    require(faults.size() <= max_faults + 1);
    for (const Fault& fault : faults) require(fault.where.size() < 4096);
    const Error error = validation_failed(faults);
    require(!error.message.empty());

    // A text without faults stays the same when it is written, read and written again.
    if (!faults.empty()) return;
    const std::string text = fields::write(query);
    const auto again = json::parse(text);
    require(again.has_value());
    require(fields::to_json(query) == *again);
    require(fields::write(fields::read<Query>(*again, faults)) == text);
    require(faults.empty());
}

}  // namespace
}  // namespace parley

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace parley;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto parsed = json::parse(text);
    if (!parsed) {
        check_refusal(parsed.error());
        return 0;
    }
    boost::json::error_code error;
    boost::json::parse(text, error);
    require(!error);
    const auto again = json::parse(boost::json::serialize(*parsed));
    require(again.has_value() && *again == *parsed);
    check_struct(*parsed);
    return 0;
}
