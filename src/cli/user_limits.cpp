#include "cli/user_limits.hpp"

#include "domain/own_limits.hpp"

#include <charconv>
#include <limits>
#include <optional>
#include <utility>

namespace parley::cli {
namespace {

std::optional<std::int64_t> number_in(const std::string& text, std::int64_t most)
{
    std::int64_t number = 0;
    const char* const last = text.data() + text.size();
    const auto [end, failure] = std::from_chars(text.data(), last, number);
    if (failure != std::errc() || end != last || number < 1 || number > most) return std::nullopt;
    return number;
}

}  // namespace

Result<boost::json::object> limits_of(const LimitOptions& options)
{
    boost::json::object limits;
    for (const auto& [name, text] : {std::pair("chat", &options.chat),
                                     {"general", &options.general},
                                     {"automation", &options.automation}}) {
        if (text->empty()) continue;
        const auto number = number_in(*text, most_own_limit);
        if (!number && *text != "server")
            return Error{
                Errc::invalid_request,
                "A limit is a number from 1 to 1000, or `server` for the server's limit, not " +
                    *text + "."};
        limits[name] = number ? boost::json::value(*number) : boost::json::value();
    }
    return limits;
}

Result<boost::json::object> budget_of(const std::string& tokens)
{
    boost::json::object budget;
    if (tokens.empty()) return budget;
    const auto number = number_in(tokens, std::numeric_limits<std::int64_t>::max());
    if (!number && tokens != "none")
        return Error{
            Errc::invalid_request,
            "A budget is a number of output tokens per day, or `none`, not " + tokens + "."};
    budget["output_tokens_per_day"] = number ? boost::json::value(*number) : boost::json::value();
    return budget;
}

}  // namespace parley::cli
