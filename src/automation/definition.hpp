// The configuration of an automation, checked and ready to be used.
//
// Threads: plain values and functions.
#pragma once

#include "api/wire/automation.hpp"
#include "automation/body_faults.hpp"
#include "automation/listening.hpp"
#include "base/error.hpp"
#include "schedule/schedule.hpp"
#include "store/ledger.hpp"
#include "templates/templates.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace parley::automation {

inline constexpr std::size_t longest_message = 131'072;
inline constexpr std::int64_t sessions_kept = 30;
inline constexpr std::int64_t usual_timeout_s = 300;

class Definition {
public:
    // Fails with validation_failed and all faults; their pointers begin at the body, "#/message".
    static Result<Definition> make(api::AutomationDefinition fields, const schedule::Zones& zones,
                                   std::chrono::seconds longest_timeout);
    // The same for fields that may have faults: adds its own to them. Nothing if there are any.
    // With an unknown time zone that is accepted, it has no schedule.
    enum class UnknownZone { refused, accepted };
    static std::optional<Definition> make(api::AutomationDefinition fields,
                                          const schedule::Zones& zones,
                                          std::chrono::seconds longest_timeout, Faults& faults,
                                          UnknownZone unknown_zone = UnknownZone::refused);
    // As the store keeps it. Fails if the time zone is no longer known.
    static Result<Definition> read(std::string_view text, const schedule::Zones& zones);
    // The same without its schedule, so that it can be read without the time zone: for rows, whose
    // time has come.
    static Result<Definition> read_unscheduled(std::string_view text);
    // The same without a check.
    static Result<api::AutomationDefinition> fields_in(std::string_view text);
    std::string write() const;

    // Checks the names of values that are given by hand: fails for each that no variable reads.
    // Pointers begin at the values.
    Result<> check_names(const boost::json::object& given) const;
    // Variables that the message does not contain.
    std::vector<std::string> unused_variables() const { return message_.unused(); }

    const api::AutomationDefinition& fields() const { return fields_; }
    const std::optional<schedule::Schedule>& schedule() const { return schedule_; }
    const std::optional<Listening>& listening() const { return listening_; }
    // Null: it has no hook.
    const api::HookTrigger* hook() const
    {
        return fields_.trigger ? fields_.trigger->hook() : nullptr;
    }
    Overlap overlap() const;
    // Nothing: all sessions are kept.
    std::optional<std::size_t> sessions_to_keep() const;
    bool continues_session() const { return fields_.session.policy == api::SessionPolicy::go_on; }

    // Values of a row, as the store keeps them. Fails with validation_failed; pointers begin at the
    // payload.
    struct Occasion {
        TriggerType trigger = TriggerType::manual;
        std::string key = {};
        TimePoint at = {};
    };
    Result<std::string> fill(const boost::json::object& payload, const Occasion& occasion) const;

    // The values of variables by name, and the message that they make.
    struct Filled {
        std::map<std::string, std::string> variables;
        std::string message;
    };
    Filled filled(const store::AutomationRun& row) const;

private:
    Definition(api::AutomationDefinition fields, templates::Template message,
               std::optional<schedule::Schedule> schedule, std::optional<Listening> listening);

    templates::RunValues run_values(const Occasion& occasion) const;

    api::AutomationDefinition fields_;
    templates::Template message_;
    std::optional<schedule::Schedule> schedule_;
    std::optional<Listening> listening_;
};

}  // namespace parley::automation
