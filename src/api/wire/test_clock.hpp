// Requests and responses of /v1/api/test_clock.
#pragma once

#include "api/wire/forms.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <optional>
#include <string>
#include <tuple>

namespace parley::api {

struct TestClockBody {
    fields::Nullable<std::string> now;

    static constexpr fields::SchemaInfo schema_info{"NewTestClock", "Moves the test clock."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("now", &TestClockBody::now,
                                "Required: the new time, not before the current one and at most 10 "
                                "years after it. Null: real time.",
                                moment, example("2027-03-28T01:30:00.000Z")));
    }

    void check(Faults& faults) const
    {
        if (!now.given())
            faults.push_back({"#/now", "required", "is required: a time, or null for real time"});
    }
};

struct TestClockView {
    std::string object = "test_clock";
    std::optional<std::string> now;

    static constexpr fields::SchemaInfo schema_info{"TestClock",
                                                    "The time of automations in test mode."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = TestClockView;
        return std::tuple(
            field("object", &View::object, "Always `test_clock`.", one_of("test_clock")),
            field("now", &View::now, "The time of the clock, which stands still. Null: real time.",
                  moment, example("2027-03-28T01:30:00.000Z")));
    }
};

}  // namespace parley::api
