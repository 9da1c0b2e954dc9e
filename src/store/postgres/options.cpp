#include "store/postgres/options.hpp"

#include "store/postgres/library.hpp"

#include <map>

namespace parley::store::postgres {

Result<std::string> name_of_database(const std::string& url)
{
    const auto library = load_library();
    if (!library) return library.error();
    if (!url.starts_with("postgresql://") && !url.starts_with("postgres://"))
        return Error{Errc::invalid_request, "must begin with postgresql://"};
    char* problem = nullptr;
    PQconninfoOption* options = (*library)->PQconninfoParse(url.c_str(), &problem);
    // libpq quotes the URL in its message, and the URL may contain a password.
    (*library)->PQfreemem(problem);
    if (!options) return Error{Errc::invalid_request, "is not a valid PostgreSQL URL"};
    std::map<std::string, std::string> values;
    for (const PQconninfoOption* option = options; option->keyword; ++option)
        if (option->val) values[option->keyword] = option->val;
    (*library)->PQconninfoFree(options);
    std::string name = values.contains("host") ? values["host"] : values["hostaddr"];
    if (name.empty()) name = "the local server";
    if (values.contains("port")) name += ":" + values["port"];
    if (values.contains("dbname")) name += "/" + values["dbname"];
    return name;
}

}  // namespace parley::store::postgres
