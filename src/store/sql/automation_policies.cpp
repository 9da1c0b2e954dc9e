#include "store/sql/automation_policies.hpp"

namespace parley::store::sql {
namespace {

struct PolicyColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::string> id{*in, "id"};
    Column<std::string> user{*in, "of_user"};
    Column<bool> test{*in, "test"};
    Column<Overlap> overlap{*in, "overlap"};
    Column<std::optional<std::int64_t>> tokens_per_day{*in, "output_tokens_per_day"};
    Column<AutomationState> state{*in, "state"};
    Column<std::optional<std::string>> session{*in, "session"};
    Column<TimePoint> evaluated_until{*in, "evaluated_ms"};
    Column<bool> listens{*in, "listens"};
    Column<std::int64_t> heard_until{*in, "heard_number"};
    Column<std::int64_t> revision{*in, "revision"};
};

}  // namespace

std::optional<KeptAutomation> find_policies(Connection& connection, const std::string& automation)
{
    Query select = connection.query(
        "SELECT position, id, automations.user AS of_user, test, overlap, output_tokens_per_day,"
        " state, session, evaluated_ms, listens, heard_number, revision"
        " FROM automations WHERE id = ?1 AND removed = 0");
    if (!select.bind(automation).next()) return std::nullopt;
    const auto& at = select.columns<PolicyColumns>();
    return KeptAutomation{select[at.position],
                          {.id = select[at.id],
                           .owner = {select[at.user], select[at.test]},
                           .overlap = select[at.overlap],
                           .output_tokens_per_day = select[at.tokens_per_day],
                           .state = select[at.state],
                           .session = select[at.session],
                           .evaluated_until = select[at.evaluated_until],
                           .listens = select[at.listens],
                           .revision = select[at.revision],
                           .heard_until = select[at.heard_until]}};
}

}  // namespace parley::store::sql
