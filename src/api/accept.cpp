#include "api/accept.hpp"

#include "api/field_value.hpp"

#include <optional>

namespace parley::api {
namespace {

// "1", "0.5", "0.125": at most three decimals, as thousandths.
std::optional<int> parse_weight(std::string_view text)
{
    if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return std::nullopt;
    if (text.size() > 1 && text[1] != '.') return std::nullopt;
    int weight = (text[0] - '0') * 1000;
    int unit = 100;
    for (std::size_t i = 2; i < text.size(); ++i, unit /= 10) {
        if (text[i] < '0' || text[i] > '9') return std::nullopt;
        weight += (text[i] - '0') * unit;
    }
    return weight <= 1000 ? std::optional(weight) : std::nullopt;
}

// 3 for the type itself, 2 for "text/*", 1 for "*/*", 0 if the range does not cover the type.
int closeness(std::string_view range, std::string_view type)
{
    if (http::same_name(range, type)) return 3;
    if (range == "*/*") return 1;
    const std::string_view family = type.substr(0, type.find('/') + 1);
    const bool covers_family = range.ends_with("/*") && range.size() == family.size() + 1 &&
                               http::same_name(range.substr(0, family.size()), family);
    return covers_family ? 2 : 0;
}

// The weight of a range, from its parameter `q`; other parameters are ignored.
std::optional<int> weight_among(std::string_view parameters)
{
    while (!parameters.empty()) {
        const auto [name, value] = take_parameter(parameters);
        if (http::same_name(name, "q")) return parse_weight(value);
    }
    return 1000;
}

class Codings {
public:
    explicit Codings(const http::RequestHead& head) : head_(head) {}

    bool were_named() const { return head_.count("accept-encoding") > 0; }

    // From 0 (refused) to 1000. The plain form, "identity", is used last unless the client names or
    // refuses it; codings that the client does not name are not used.
    int weight(std::string_view coding) const
    {
        std::optional<int> named;
        std::optional<int> others;
        for (const http::Field& field : head_.fields) {
            if (!http::same_name(field.name, "accept-encoding")) continue;
            std::string_view codings = field.value;
            while (!codings.empty()) {
                std::string_view parameters = take_until(',', codings);
                const std::string_view name = take_until(';', parameters);
                if (http::same_name(name, coding)) named = weight_among(parameters).value_or(0);
                if (name == "*") others = weight_among(parameters).value_or(0);
            }
        }
        return named.value_or(others.value_or(coding == "identity" ? 1 : 0));
    }

private:
    const http::RequestHead& head_;
};

}  // namespace

int preference(const http::RequestHead& head, std::string_view type)
{
    bool asked = false;
    int best_closeness = 0;
    int weight = 0;
    for (const http::Field& field : head.fields) {
        if (!http::same_name(field.name, "accept")) continue;
        std::string_view ranges = field.value;
        while (!ranges.empty()) {
            std::string_view parameters = take_until(',', ranges);
            const std::string_view range = take_until(';', parameters);
            if (range.empty()) continue;
            asked = true;
            const int close = closeness(range, type);
            if (close <= best_closeness) continue;
            const auto wanted = weight_among(parameters);
            if (!wanted) continue;
            best_closeness = close;
            weight = *wanted;
        }
    }
    return asked ? weight : 1000;
}

bool accepts_coding(const http::RequestHead& head, std::string_view coding)
{
    const Codings codings(head);
    return !codings.were_named() || codings.weight(coding) > 0;
}

bool prefers_gzip(const http::RequestHead& head)
{
    const Codings codings(head);
    const int gzip = codings.were_named() ? codings.weight("gzip") : 0;
    return gzip > 0 && gzip >= codings.weight("identity");
}

}  // namespace parley::api
