// Fuzzes the code that reads request targets. It must not crash, must keep its limits, and decoding
// must reverse encoding.
#include "api/router.hpp"
#include "api/target.hpp"
#include "base/utf8.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace parley::api;

void must(bool holds)
{
    if (!holds) std::abort();
}

const Router& router()
{
    static const Router instance([] {
        std::vector<Route> table;
        for (const char* path : {"/", "/a", "/a/{b}", "/a/b/{c}", "/a/{b}/c", "/{a}/b/c/d"})
            table.push_back({.method = "GET", .path = path, .summary = {}});
        return table;
    }());
    return instance;
}

void check_path(std::string_view path)
{
    constexpr std::size_t most = 5;
    const auto segments = path_segments(path, most);
    if (segments) {
        must(segments->size() <= most + 1);
        for (const auto& segment : *segments) must(parley::utf8::valid(segment));
    }
    const auto found = router().find("GET", path);
    must(found.row.has_value() != found.refusal.has_value());
    for (const auto& parameter : found.parameters)
        must(!parameter.value.empty() && parameter.value != ".." &&
             parameter.value.find('\0') == std::string::npos);
    if (!segments && path.starts_with('/')) must(!found.row);
}

void check_query(std::string_view query)
{
    const auto parameters = query_parameters(query);
    if (!parameters) return;
    must(parameters->size() <= max_query_parameters);
    std::string again;
    for (const auto& [name, value] : *parameters)
        again += percent_encode(name) + "=" + percent_encode(value) + "&";
    const auto reread = query_parameters(again);
    must(reread && reread->size() == parameters->size());
    for (std::size_t i = 0; i < reread->size(); ++i)
        must((*reread)[i].name == (*parameters)[i].name &&
             (*reread)[i].value == (*parameters)[i].value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view target(reinterpret_cast<const char*>(data), size);
    const std::size_t question = target.find('?');
    check_path(target.substr(0, question));
    if (question != target.npos) check_query(target.substr(question + 1));
    must(percent_decode(percent_encode(target), Plus::itself) == target);
    must(percent_decode(percent_encode(target), Plus::space) == target);
    return 0;
}
