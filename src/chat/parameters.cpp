#include "chat/parameters.hpp"

#include "base/field_read.hpp"
#include "base/field_write.hpp"
#include "base/json.hpp"

namespace parley::chat {
namespace {

struct Parameters {
    std::optional<std::int64_t> max_output_tokens;
    std::optional<double> temperature;
    std::optional<double> top_p;
    std::optional<std::int64_t> seed;
    std::vector<std::string> stop;

    static constexpr auto fields()
    {
        using namespace wire;
        using This = Parameters;
        return std::tuple(field("max_output_tokens", &This::max_output_tokens, "", omit_if_absent),
                          field("temperature", &This::temperature, "", omit_if_absent),
                          field("top_p", &This::top_p, "", omit_if_absent),
                          field("seed", &This::seed, "", omit_if_absent),
                          field("stop", &This::stop, "", defaults_to(empty)));
    }
};

}  // namespace

std::string write_parameters(const engine::Sampling& sampling)
{
    return wire::write(Parameters{.max_output_tokens = sampling.max_output_tokens,
                                  .temperature = sampling.temperature,
                                  .top_p = sampling.top_p,
                                  .seed = sampling.seed,
                                  .stop = sampling.stop});
}

engine::Sampling read_parameters(std::string_view text)
{
    const auto parsed = json::parse(text);
    if (!parsed) return {};
    Faults faults;
    auto read = wire::read<Parameters>(*parsed, faults, wire::UnknownFields::ignored);
    engine::Sampling sampling{.max_output_tokens = read.max_output_tokens,
                              .temperature = read.temperature,
                              .top_p = read.top_p,
                              .stop = std::move(read.stop)};
    if (read.seed) sampling.seed = static_cast<std::uint32_t>(*read.seed);
    return sampling;
}

}  // namespace parley::chat
