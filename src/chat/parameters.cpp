#include "chat/parameters.hpp"

#include "base/json.hpp"
#include "fields/read.hpp"
#include "fields/write.hpp"

namespace parley::chat {
namespace {

struct Parameters {
    std::optional<std::int64_t> max_output_tokens;
    std::optional<double> temperature;
    std::optional<double> top_p;
    std::optional<std::int64_t> top_k;
    std::optional<double> min_p;
    std::optional<double> repeat_penalty;
    std::optional<double> presence_penalty;
    std::optional<double> frequency_penalty;
    std::map<std::string, double> logit_bias;
    std::optional<std::int64_t> seed;
    std::vector<std::string> stop;
    std::optional<std::string> trace;
    std::optional<std::int64_t> timeout_s;
    std::optional<std::string> schema;  // As schema::restored() takes it.
    std::optional<std::string> tools;   // As engine::restored_tools() takes it.
    std::optional<std::string> instructions;
    std::optional<boost::json::value> request;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = Parameters;
        return std::tuple(field("max_output_tokens", &This::max_output_tokens, "", omit_if_absent),
                          field("temperature", &This::temperature, "", omit_if_absent),
                          field("top_p", &This::top_p, "", omit_if_absent),
                          field("top_k", &This::top_k, "", omit_if_absent),
                          field("min_p", &This::min_p, "", omit_if_absent),
                          field("repeat_penalty", &This::repeat_penalty, "", omit_if_absent),
                          field("presence_penalty", &This::presence_penalty, "", omit_if_absent),
                          field("frequency_penalty", &This::frequency_penalty, "", omit_if_absent),
                          field("logit_bias", &This::logit_bias, "", defaults_to(empty)),
                          field("seed", &This::seed, "", omit_if_absent),
                          field("stop", &This::stop, "", defaults_to(empty)),
                          field("trace", &This::trace, "", omit_if_absent),
                          field("timeout_s", &This::timeout_s, "", omit_if_absent),
                          field("schema", &This::schema, "", omit_if_absent),
                          field("tools", &This::tools, "", omit_if_absent),
                          field("instructions", &This::instructions, "", omit_if_absent),
                          field("request", &This::request, "", omit_if_absent));
    }
};

Parameters parse(std::string_view text)
{
    const auto parsed = json::parse(text);
    if (!parsed) return {};
    Faults faults;
    return fields::read<Parameters>(*parsed, faults, fields::UnknownFields::ignored);
}

}  // namespace

std::string write_parameters(const engine::Sampling& sampling, const std::string& trace,
                             std::optional<std::chrono::seconds> timeout,
                             const ResponseParameters& response)
{
    Parameters parameters{.max_output_tokens = sampling.max_output_tokens,
                          .temperature = sampling.temperature,
                          .top_p = sampling.top_p,
                          .top_k = sampling.top_k,
                          .min_p = sampling.min_p,
                          .repeat_penalty = sampling.repeat_penalty,
                          .presence_penalty = sampling.presence_penalty,
                          .frequency_penalty = sampling.frequency_penalty,
                          .logit_bias = {},
                          .seed = sampling.seed,
                          .stop = sampling.stop,
                          .trace = {},
                          .timeout_s = {},
                          .schema = {},
                          .tools = {},
                          .instructions = {},
                          .request = response.request};
    if (sampling.tools) parameters.tools = sampling.tools->given;
    if (sampling.format) parameters.schema = sampling.format->text;
    if (!trace.empty()) parameters.trace = trace;
    if (timeout) parameters.timeout_s = timeout->count();
    if (!response.instructions.empty()) parameters.instructions = response.instructions;
    for (const auto& [token, bias] : sampling.logit_bias)
        parameters.logit_bias.emplace(std::to_string(token), bias);
    return fields::write(parameters);
}

Result<engine::Sampling> read_parameters(std::string_view text)
{
    Parameters read = parse(text);
    engine::Sampling sampling{.max_output_tokens = read.max_output_tokens,
                              .temperature = read.temperature,
                              .top_p = read.top_p,
                              .top_k = read.top_k,
                              .min_p = read.min_p,
                              .repeat_penalty = read.repeat_penalty,
                              .presence_penalty = read.presence_penalty,
                              .frequency_penalty = read.frequency_penalty,
                              .stop = std::move(read.stop)};
    for (const auto& [token, bias] : read.logit_bias)
        sampling.logit_bias.emplace(std::strtoll(token.c_str(), nullptr, 10), bias);
    if (read.seed) sampling.seed = static_cast<std::uint32_t>(*read.seed);
    if (read.schema) {
        sampling.format = schema::restored(*read.schema);
        if (!sampling.format)
            return Error{Errc::internal, "The stored schema of the answer cannot be read."};
    }
    if (read.tools) {
        sampling.tools = engine::restored_tools(*read.tools);
        if (!sampling.tools) return Error{Errc::internal, "The stored tools cannot be read."};
    }
    return sampling;
}

bool has_format(std::string_view text) { return parse(text).schema.has_value(); }

std::optional<std::chrono::seconds> read_timeout(std::string_view text)
{
    const auto given = parse(text).timeout_s;
    if (!given) return std::nullopt;
    return std::chrono::seconds(*given);
}

std::string read_trace(std::string_view text) { return parse(text).trace.value_or(""); }

engine::ToolsRef read_tools(std::string_view text)
{
    const Parameters read = parse(text);
    return read.tools ? engine::restored_tools(*read.tools) : nullptr;
}

ResponseParameters read_response(std::string_view text)
{
    Parameters read = parse(text);
    return {.instructions = std::move(read.instructions).value_or(""),
            .request = std::move(read.request)};
}

std::string all_instructions(const std::string& of_run,
                             const std::optional<std::string>& of_session)
{
    if (!of_session || of_session->empty()) return of_run;
    return of_run.empty() ? *of_session : of_run + "\n\n" + *of_session;
}

}  // namespace parley::chat
