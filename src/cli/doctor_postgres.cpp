#include "app/store_settings.hpp"
#include "cli/finding.hpp"
#include "store/postgres/examine.hpp"

namespace parley::cli {

Finding check_postgres(const app::Settings& settings)
{
    Finding found{.check = "store", .verdict = Verdict::fail, .finding = ""};
    const auto options = app::postgres_options(settings);
    const auto examined = options ? store::postgres::examine(*options)
                                  : Result<store::postgres::Examined>(options.error());
    if (!examined) {
        found.finding = examined.error().message;
        found.advice = "Check store.url, store.password_file and that the server runs.";
        return found;
    }
    found.verdict = Verdict::ok;
    found.finding = "PostgreSQL " + examined->server_version + " at " + examined->name +
                    (examined->schema == 0 ? "; the first start creates the tables"
                                           : ", schema " + std::to_string(examined->schema));
    for (const std::string& danger : examined->dangers) {
        found.verdict = Verdict::warn;
        found.finding += "; " + danger;
        found.advice = "With these settings of PostgreSQL, a crash can lose stored data.";
    }
    return found;
}

}  // namespace parley::cli
