// The test clock over HTTP.
#include "automation/test_clock.hpp"

#include "api/api.hpp"
#include "api/run_answers.hpp"
#include "api/wire/test_clock.hpp"

namespace parley::api {
namespace {

using automation::TestClock;
using AutomationReader = With<auth::Scope::automation_read>;
using AutomationWriter = With<auth::Scope::automation_write>;

TestClockView clock_view(const std::optional<TimePoint>& time)
{
    TestClockView view;
    if (time) view.now = rfc3339(*time);
    return view;
}

Task<Result<TestClockView>> get_test_clock(TestClock& clock, AutomationReader caller)
{
    const auto time = co_await clock.get(owner_of(caller));
    if (!time) co_return time.error();
    co_return clock_view(*time);
}

Task<Result<TestClockView>> set_test_clock(TestClock& clock, AutomationWriter caller,
                                           Body<TestClockBody> body)
{
    std::optional<TimePoint> to;
    if (body.now) {
        Faults faults;
        to = automation::parse_time(*body.now, "#/now", faults);
        if (!faults.empty()) co_return validation_failed(std::move(faults));
    }
    const auto done = co_await clock.set(owner_of(caller), to);
    if (!done) co_return done.error();
    co_return clock_view(to);
}

constexpr std::string_view about_test_clock =
    R"(Moves the time of your automations in test mode, so that schedules, retries and budgets can be tried
without waiting. The response comes when all runs that became due until then are in the list of runs;
runs that became due together do not overlap. The clock stands still until it is moved again, and
never goes back. At most 10,000 runs may become due in one step. Moves of one user are made one after
another; if 16 wait, a further one gets 503 `overloaded`.

`scheduled_for`, `next_at` and `next_attempt_at` are then in the time of this clock, all other times
are real. Only test tokens have such a clock: others get 403.)";

}  // namespace

std::vector<Route> test_clock_routes()
{
    return {
        route<get_test_clock>("GET", "/v1/api/test_clock", "getTestClock", "Get the test clock",
                              may_fail(Errc::insufficient_scope)),
        route<set_test_clock>("PUT", "/v1/api/test_clock", "setTestClock", "Move the test clock",
                              needs_room, description(about_test_clock),
                              may_fail(Errc::insufficient_scope)),
    };
}

}  // namespace parley::api
