#include "api/list_page.hpp"

#include "api/target.hpp"

namespace parley::api {

std::string link_to_next(const Call& call, std::string_view cursor)
{
    std::string link = "<";
    link.append(call.exchange.request().path).append("?");
    for (const fields::Parameter& each : call.query)
        if (each.name != "after")
            link.append(percent_encode(each.name) + "=" + percent_encode(each.value) + "&");
    return link.append("after=").append(cursor).append(">; rel=\"next\"");
}

}  // namespace parley::api
