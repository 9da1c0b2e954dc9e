#include "automation/definition.hpp"

#include "base/rfc3339.hpp"
#include "fields/read.hpp"

#include <boost/json/parse.hpp>

#include <gmock/gmock.h>

namespace parley::automation {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class DefinitionTest : public testing::Test {
protected:
    const schedule::Zones zones = schedule::Zones::load().value();

    static api::AutomationDefinition valid()
    {
        api::AutomationDefinition fields;
        fields.name = "Digest";
        fields.message = "For {{reader}} on {{run.local_date}}.";
        fields.variables = {{.name = "reader", .default_value = "Ana"}};
        return fields;
    }
    Result<Definition> make(const api::AutomationDefinition& fields)
    {
        return Definition::make(fields, zones, 300s);
    }
    Definition daily_in_tokyo()
    {
        api::AutomationDefinition fields = valid();
        fields.trigger =
            api::Trigger{api::ScheduleTrigger{.cron = "0 1 * * *", .time_zone = "Asia/Tokyo"}};
        return make(fields).value();
    }
    // Due on the second of January in Tokyo.
    static store::AutomationRun row_in_january()
    {
        return {.trigger = TriggerType::schedule,
                .key = "k",
                .scheduled_for = parse_rfc3339("2027-01-01T16:00:00Z").value()};
    }
    std::vector<std::string> faults_of(const api::AutomationDefinition& fields)
    {
        const auto made = make(fields);
        return made ? std::vector<std::string>() : texts_of(made.error().faults);
    }
    // Those that reading the body finds, and those of the definition.
    std::vector<std::string> faults_of_body(std::string_view body)
    {
        Faults faults;
        auto fields = fields::read<api::AutomationDefinition>(boost::json::parse(body), faults);
        EXPECT_FALSE(Definition::make(std::move(fields), zones, 300s, faults));
        return texts_of(faults);
    }
    static std::vector<std::string> texts_of(const Faults& faults)
    {
        std::vector<std::string> texts;
        for (const Fault& each : faults) texts.push_back(each.where + " " + each.code);
        return texts;
    }
};

TEST_F(DefinitionTest, SurvivesTheStore)
{
    api::AutomationDefinition fields = valid();
    fields.trigger =
        api::Trigger{api::ScheduleTrigger{.cron = "0 9 * * *", .time_zone = "Europe/Berlin"}};
    fields.pause_after_failures = nullptr;
    const Definition made = make(fields).value();
    const Definition read = Definition::read(made.write(), zones).value();
    EXPECT_EQ(read.write(), made.write());
    EXPECT_TRUE(read.fields().pause_after_failures.is_null());
    EXPECT_EQ(read.overlap(), Overlap::skip);
    EXPECT_EQ(read.sessions_to_keep(), 30U);
    fields.session.keep = nullptr;
    EXPECT_EQ(make(fields)->sessions_to_keep(), std::nullopt);
    fields.trigger.reset();
    EXPECT_EQ(make(fields)->overlap(), Overlap::queue);
}

TEST_F(DefinitionTest, ReportsAllFaultsAtOnce)
{
    api::AutomationDefinition fields = valid();
    fields.message = "{{nobody}}";
    fields.trigger =
        api::Trigger{api::ScheduleTrigger{.cron = "61 * * * *", .time_zone = "Berlin"}};
    fields.overlap = Overlap::allow;
    fields.session = {.policy = api::SessionPolicy::go_on, .keep = 3, .session_id = {}};
    fields.output_tokens_per_day = 100;
    fields.timeout_s = 301;
    EXPECT_THAT(faults_of(fields),
                ElementsAre("#/session/keep not_allowed", "#/overlap not_allowed",
                            "#/max_output_tokens required", "#/timeout_s out_of_range",
                            "#/message unknown_variable", "#/trigger/cron invalid_cron",
                            "#/trigger/time_zone unknown_time_zone"));
}

TEST_F(DefinitionTest, AddsItsFaultsToThoseOfTheFields)
{
    EXPECT_THAT(
        faults_of_body(R"({"name":"","message":"{{nobody}}","timeout_s":301,"surprise":1,
        "trigger":{"type":"schedule","cron":"60 * * * *","time_zone":"Berlin"}})"),
        ElementsAre("#/name too_short", "#/surprise unknown_field", "#/timeout_s out_of_range",
                    "#/message unknown_variable", "#/trigger/cron invalid_cron",
                    "#/trigger/time_zone unknown_time_zone"));
    EXPECT_THAT(faults_of_body(R"({"name":"a","message":"b","trigger":{"type":"schedule",
        "at":"soon","ends_at":"later","time_zone":"Berlin"}})"),
                ElementsAre("#/trigger/at invalid_format", "#/trigger/ends_at invalid_format",
                            "#/trigger/time_zone unknown_time_zone"));
}

TEST_F(DefinitionTest, AFaultHasNoFaultsInItsTrain)
{
    EXPECT_THAT(faults_of_body(R"({"name":"a","message":"{{text}}","variables":[{"name":5}],
        "session":{"policy":"contnue","session_id":"ses_1"},
        "trigger":{"type":"schedule","at":7,"time_zone":"Berlin"}})"),
                ElementsAre("#/variables/0/name wrong_type", "#/session/policy not_allowed",
                            "#/trigger/at wrong_type", "#/trigger/time_zone unknown_time_zone"));
    EXPECT_THAT(
        faults_of_body(
            R"({"name":"a","message":"b","variables":[{"name":""}],"trigger":{"event_types":[]}})"),
        ElementsAre("#/variables/0/name too_short", "#/trigger/type required",
                    "#/trigger/event_types unknown_field"));
}

TEST_F(DefinitionTest, ListensToEvents)
{
    api::AutomationDefinition fields = valid();
    api::EventTrigger trigger{.event_types = {"chat.run.*", "token.created"}};
    fields.trigger = api::Trigger{trigger};
    const Definition made = Definition::read(make(fields)->write(), zones).value();
    ASSERT_TRUE(made.listening());
    EXPECT_FALSE(made.schedule());
    EXPECT_EQ(made.overlap(), Overlap::queue);
    const store::Event answered{
        .type = EventType::run_completed, .subject = "run_1", .parent = "ses_1"};
    EXPECT_TRUE(made.listening()->wants(answered));
    EXPECT_TRUE(made.listening()->wants({.type = EventType::token_created, .subject = "tok_1"}));
    EXPECT_FALSE(made.listening()->wants({.type = EventType::token_revoked, .subject = "tok_1"}));

    trigger.session_id = "ses_1";
    fields.trigger = api::Trigger{trigger};
    EXPECT_TRUE(make(fields)->listening()->wants(answered));
    EXPECT_FALSE(make(fields)->listening()->wants(
        {.type = EventType::run_completed, .subject = "run_2", .parent = "ses_2"}));
    trigger.automation_id = "aut_1";
    fields.trigger = api::Trigger{trigger};
    EXPECT_FALSE(make(fields)->listening()->wants(answered));

    trigger.event_types = {"chat.run.*", "chat", "*", ""};
    fields.trigger = api::Trigger{trigger};
    EXPECT_THAT(faults_of(fields),
                ElementsAre("#/trigger/event_types/1 invalid", "#/trigger/event_types/2 invalid",
                            "#/trigger/event_types/3 invalid"));
}

TEST_F(DefinitionTest, KeepsToTheTimeoutOfTheServer)
{
    api::AutomationDefinition fields = valid();
    EXPECT_EQ(make(fields)->fields().timeout_s, 300);
    EXPECT_EQ(Definition::make(fields, zones, 60s)->fields().timeout_s, 60);
    fields.timeout_s = 61;
    EXPECT_FALSE(Definition::make(fields, zones, 60s));
}

TEST_F(DefinitionTest, FillsTheSameMessageAgain)
{
    const Definition definition = daily_in_tokyo();
    store::AutomationRun row = row_in_january();
    row.values =
        definition
            .fill({{"reader", "{{automation.name}}"}}, {row.trigger, row.key, row.scheduled_for})
            .value();
    const auto filled = definition.filled(row);
    EXPECT_EQ(filled.message, "For {{automation.name}} on 2027-01-02.");
    EXPECT_EQ(filled.variables.at("reader"), "{{automation.name}}");
}

TEST_F(DefinitionTest, FillsTheSameMessageWithoutTheTimeZone)
{
    const Definition definition = daily_in_tokyo();
    store::AutomationRun row = row_in_january();
    row.values = definition.fill({}, {row.trigger, row.key, row.scheduled_for}).value();
    EXPECT_FALSE(Definition::read(definition.write(), schedule::Zones::none()));
    const auto read = Definition::read_unscheduled(definition.write());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->filled(row).message, "For Ana on 2027-01-02.");
}

TEST_F(DefinitionTest, RefusesAnEmptyMessage)
{
    api::AutomationDefinition fields = valid();
    fields.message = "{{text}}";
    fields.variables = {{.name = "text"}};
    const Definition definition = make(fields).value();
    EXPECT_EQ(definition.fill({}, {}).error().code, Errc::validation_failed);
    EXPECT_TRUE(definition.fill({{"text", 7}}, {}));
}

TEST_F(DefinitionTest, AHookWaitsForEarlierCallsAndHasAPointerToItsKey)
{
    api::AutomationDefinition fields = valid();
    fields.trigger = api::Trigger{
        api::HookTrigger{.verify = HookVerification::github, .dedupe_pointer = "/a~1b/0"}};
    const Definition made = make(fields).value();
    ASSERT_TRUE(made.hook());
    EXPECT_EQ(made.overlap(), Overlap::queue);
    const Definition again = Definition::read(made.write(), zones).value();
    EXPECT_EQ(again.hook()->verify, HookVerification::github);
    EXPECT_EQ(again.hook()->dedupe_pointer, "/a~1b/0");
    for (const char* wrong : {"id", "/~2", "/~"}) {
        fields.trigger = api::Trigger{api::HookTrigger{.dedupe_pointer = wrong}};
        EXPECT_THAT(faults_of(fields), ElementsAre("#/trigger/dedupe_pointer invalid_format"));
    }
    EXPECT_FALSE(daily_in_tokyo().hook());
}

}  // namespace
}  // namespace parley::automation
