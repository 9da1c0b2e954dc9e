#include "fields/read.hpp"

#include "base/json.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::fields {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

enum class Order { oldest_first, newest_first };
constexpr auto names_of(Order)
{
    return std::array{Named{Order::oldest_first, "asc"}, Named{Order::newest_first, "desc"}};
}

struct Options {
    std::optional<std::int64_t> seed;
    bool verbose = false;

    static constexpr auto fields()
    {
        return std::tuple(field("seed", &Options::seed, "Same seed, same answer."),
                          field("verbose", &Options::verbose, "Tell more.", defaults_to(false)));
    }
};

struct Query {
    std::string message;
    std::optional<double> temperature;
    std::optional<double> top_p;
    std::optional<Options> options;
    std::vector<std::string> stop;
    std::vector<Options> more;
    std::map<std::string, std::string> metadata;
    Nullable<std::string> parent;
    Order order = Order::oldest_first;
    std::int64_t limit = 0;
    std::string mode;
    boost::json::value anything;

    static constexpr auto fields()
    {
        return std::tuple(
            field("message", &Query::message, "What the user says.", length(1, 10)),
            field("temperature", &Query::temperature, "0 is the most certain.", range(0, 2)),
            field("top_p", &Query::top_p, "Likely words only.", above(0, 1)),
            field("options", &Query::options, "For tests."),
            field("stop", &Query::stop, "Ends the answer.", length(1, 2), each(length(1, 4)),
                  defaults_to(empty)),
            field("more", &Query::more, "Further options.", defaults_to(empty)),
            field("metadata", &Query::metadata, "Yours.", length(0, 2), keys(characters(1, 3)),
                  each(characters(0, 4)), defaults_to(empty)),
            field("parent", &Query::parent, "Null begins anew."),
            field("order", &Query::order, "Which direction.", defaults_to(Order::newest_first)),
            field("limit", &Query::limit, "How many.", defaults_to(20), range(1, 100)),
            field("mode", &Query::mode, "How.", one_of("fast", "good"), defaults_to("good")),
            field("anything", &Query::anything, "Free.", defaults_to(nullptr)));
    }
};

struct Outcome {
    Query query;
    std::vector<std::string> faults;  // "pointer code"
    std::vector<std::string> details;
};

Outcome outcome_of(std::string_view body, UnknownFields unknown = UnknownFields::refused)
{
    Faults faults;
    Outcome out{read<Query>(*json::parse(body), faults, unknown), {}, {}};
    for (const Fault& fault : faults) {
        EXPECT_EQ(fault.place, Fault::Location::body);
        out.faults.push_back(fault.where + ' ' + fault.code);
        out.details.push_back(fault.detail);
    }
    return out;
}

// The faults of a valid body with one more field.
std::vector<std::string> faults_with(const std::string& member)
{
    return outcome_of(R"({"message":"Hi",)" + member + "}").faults;
}
std::string detail_with(const std::string& member)
{
    const auto details = outcome_of(R"({"message":"Hi",)" + member + "}").details;
    return details.empty() ? "no fault" : details[0];
}

TEST(FieldRead, ReadsWhatIsThere)
{
    const auto [query, faults, details] = outcome_of(
        R"({"message":"Hi","temperature":0.5,"options":{"seed":7},"stop":["a","b"],
            "more":[{"seed":1},{"seed":2,"verbose":true}],"metadata":{"k":"v"},"parent":"msg_1",
            "order":"asc","limit":3,"mode":"fast","anything":[1,{"a":null}]})");
    EXPECT_THAT(faults, IsEmpty());
    EXPECT_EQ(query.message, "Hi");
    EXPECT_EQ(query.temperature, 0.5);
    EXPECT_EQ(query.options->seed, 7);
    EXPECT_THAT(query.stop, ElementsAre("a", "b"));
    EXPECT_TRUE(query.more[1].verbose);
    EXPECT_EQ(query.metadata.at("k"), "v");
    EXPECT_EQ(*query.parent, "msg_1");
    EXPECT_EQ(query.order, Order::oldest_first);
    EXPECT_EQ(query.limit, 3);
    EXPECT_EQ(query.anything.at(0), 1);
}

TEST(FieldRead, PutsDefaultsWhereAFieldIsAbsent)
{
    const auto [query, faults, details] = outcome_of(R"({"message":"Hi"})");
    EXPECT_THAT(faults, IsEmpty());
    EXPECT_FALSE(query.temperature);
    EXPECT_THAT(query.stop, IsEmpty());
    EXPECT_EQ(query.order, Order::newest_first);
    EXPECT_EQ(query.limit, 20);
    EXPECT_EQ(query.mode, "good");
    EXPECT_FALSE(query.parent.given());
}

TEST(FieldRead, TellsNullFromAbsentWhereItMatters)
{
    const auto [query, faults, details] =
        outcome_of(R"({"message":"Hi","parent":null,"temperature":null})");
    EXPECT_THAT(faults, IsEmpty());
    EXPECT_TRUE(query.parent.given());
    EXPECT_TRUE(query.parent.is_null());
    EXPECT_FALSE(query.parent);
    EXPECT_FALSE(query.temperature);
}

TEST(FieldRead, ReportsEveryFaultAtOnce)
{
    EXPECT_THAT(
        outcome_of(R"({"message":"","temperature":9,"options":{"seed":"x"},"stop":["","ok"],
                       "more":[{},{"seed":true}],"order":"up","mesage":1})")
            .faults,
        ElementsAre("#/message too_short", "#/temperature out_of_range",
                    "#/options/seed wrong_type", "#/stop/0 too_short", "#/more/1/seed wrong_type",
                    "#/order not_allowed", "#/mesage unknown_field"));
}

TEST(FieldRead, AsksForWhatIsRequired)
{
    EXPECT_THAT(outcome_of("{}").faults, ElementsAre("#/message required"));
    EXPECT_THAT(outcome_of(R"({"message":null})").faults, ElementsAre("#/message wrong_type"));
}

TEST(FieldRead, WantsAnObject)
{
    EXPECT_THAT(outcome_of("[]").faults, ElementsAre("# wrong_type"));
    EXPECT_THAT(outcome_of("null").faults, ElementsAre("# wrong_type"));
    EXPECT_THAT(faults_with(R"("options":[])"), ElementsAre("#/options wrong_type"));
}

TEST(FieldRead, RefusesValuesOfAnotherType)
{
    EXPECT_EQ(detail_with(R"("temperature":"1")"), "must be a number");
    EXPECT_EQ(detail_with(R"("limit":"1")"), "must be a whole number");
    EXPECT_EQ(detail_with(R"("limit":null)"), "no fault") << "It has a default.";
    EXPECT_EQ(detail_with(R"("limit":true)"), "must be a whole number");
    EXPECT_EQ(detail_with(R"("options":{"verbose":1})"), "must be true or false");
    EXPECT_EQ(detail_with(R"("stop":"a")"), "must be an array");
    EXPECT_EQ(detail_with(R"("stop":[1])"), "must be a string");
    EXPECT_EQ(detail_with(R"("metadata":["k"])"), "must be an object");
    EXPECT_EQ(detail_with(R"("metadata":{"k":1})"), "must be a string");
    EXPECT_EQ(detail_with(R"("order":0)"), "must be a string");
}

TEST(FieldRead, AsksNoRuleAboutAValueOfAnotherType)
{
    EXPECT_THAT(faults_with(R"("stop":["a",1])"), ElementsAre("#/stop/1 wrong_type"));
    EXPECT_THAT(faults_with(R"("metadata":{"k":[]})"), ElementsAre("#/metadata/k wrong_type"));
}

TEST(FieldRead, TakesWholeNumbersHoweverTheyAreWritten)
{
    EXPECT_EQ(outcome_of(R"({"message":"Hi","limit":1.0})").query.limit, 1);
    EXPECT_EQ(outcome_of(R"({"message":"Hi","limit":1e2})").query.limit, 100);
    EXPECT_THAT(faults_with(R"("limit":1.5)"), ElementsAre("#/limit wrong_type"));
    EXPECT_THAT(faults_with(R"("limit":1e300)"), ElementsAre("#/limit out_of_range"));
}

TEST(FieldRead, KeepsWholeNumbersWithinWhatADoubleHolds)
{
    const auto seed = [](const std::string& number) {
        return faults_with(R"("options":{"seed":)" + number + "}");
    };
    EXPECT_THAT(seed("9007199254740991"), IsEmpty());
    EXPECT_THAT(seed("-9007199254740991"), IsEmpty());
    EXPECT_THAT(seed("9007199254740992"), SizeIs(1));
    EXPECT_THAT(seed("-9007199254740992"), SizeIs(1));
    EXPECT_THAT(seed("9223372036854775808"), ElementsAre("#/options/seed out_of_range"));
    EXPECT_THAT(seed("-9223372036854775808"), SizeIs(1));
    EXPECT_THAT(seed("1e30"), SizeIs(1));
}

TEST(FieldRead, ChecksRangesToTheirBounds)
{
    EXPECT_THAT(faults_with(R"("temperature":0)"), IsEmpty());
    EXPECT_THAT(faults_with(R"("temperature":2)"), IsEmpty());
    EXPECT_EQ(detail_with(R"("temperature":2.001)"), "must be from 0 to 2");
    EXPECT_EQ(detail_with(R"("temperature":-1e-9)"), "must be from 0 to 2");
    EXPECT_THAT(faults_with(R"("top_p":1)"), IsEmpty());
    EXPECT_EQ(detail_with(R"("top_p":0)"), "must be above 0 and at most 1");
    EXPECT_EQ(detail_with(R"("top_p":1.5)"), "must be above 0 and at most 1");
    EXPECT_THAT(faults_with(R"("limit":100)"), IsEmpty());
    EXPECT_THAT(faults_with(R"("limit":101)"), ElementsAre("#/limit out_of_range"));
}

TEST(FieldRead, CountsBytesItemsAndCharacters)
{
    EXPECT_THAT(outcome_of(R"({"message":"ääääa€"})").details,
                ElementsAre("must have at most 10 bytes"));
    EXPECT_EQ(detail_with(R"("stop":[])"), "must not be empty");
    EXPECT_EQ(detail_with(R"("stop":["a","b","c"])"), "must have at most 2 items");
    EXPECT_THAT(faults_with(R"("metadata":{"äöü":"ßßßß"})"), IsEmpty());
    EXPECT_EQ(detail_with(R"("metadata":{"k":"12345"})"), "must have at most 4 characters");
    EXPECT_EQ(detail_with(R"("metadata":{"1234":"v"})"), "its key must have at most 3 characters");
    EXPECT_EQ(detail_with(R"("metadata":{"":"v"})"), "its key must not be empty");
    EXPECT_EQ(detail_with(R"("metadata":{"a":"","b":"","c":""})"), "must have at most 2 entries");
}

TEST(FieldRead, DoesNotReadItemsOfAListThatIsTooLong)
{
    EXPECT_THAT(faults_with(R"("stop":[1,"","ok"])"), ElementsAre("#/stop too_long"));
    EXPECT_THAT(faults_with(R"("metadata":{"1234":1,"b":2,"c":3})"),
                ElementsAre("#/metadata too_long"));
    EXPECT_THAT(faults_with(R"("stop":[1,"a"])"), ElementsAre("#/stop/0 wrong_type"));
    EXPECT_THAT(faults_with(R"("stop":{"a":1,"b":2,"c":3})"), ElementsAre("#/stop wrong_type"));
}

TEST(FieldRead, NamesTheChoices)
{
    EXPECT_EQ(detail_with(R"("order":"up")"), R"(must be one of "asc", "desc")");
    EXPECT_EQ(detail_with(R"("mode":"best")"), R"(must be one of "fast", "good")");
}

TEST(FieldRead, GuessesWhatAnUnknownFieldShouldBe)
{
    EXPECT_EQ(detail_with(R"("topp":1)"), R"(is not a known field; did you mean "top_p"?)");
    EXPECT_EQ(detail_with(R"("zzz":1)"), "is not a known field");
}

TEST(FieldRead, IgnoresUnknownFieldsWhereAsked)
{
    EXPECT_THAT(
        outcome_of(R"({"message":"Hi","x":1,"options":{"y":2}})", UnknownFields::ignored).faults,
        IsEmpty());
}

TEST(FieldRead, EscapesPointers)
{
    EXPECT_THAT(faults_with(R"("a/b~c":1)"), ElementsAre("#/a~1b~0c unknown_field"));
    EXPECT_THAT(faults_with(R"("ä %\"\n":1)"), ElementsAre("#/%C3%A4%20%25%22%0A unknown_field"));
}

TEST(FieldRead, BoundsWhatItReports)
{
    std::string many = R"({"message":"Hi")";
    for (int i = 0; i < 1000; ++i) many += ",\"unknown" + std::to_string(i) + "\":1";
    const auto faults = outcome_of(many + "}").faults;
    EXPECT_THAT(faults, SizeIs(max_faults + 1));
    EXPECT_THAT(faults.back(), HasSubstr("further_faults"));

    std::string items = R"("more":[1)";
    for (int i = 0; i < 1000; ++i) items += ",1";
    EXPECT_THAT(faults_with(items + "]"), SizeIs(max_faults + 1));

    Faults all;
    read<Query>(*json::parse(many + "}"), all);
    EXPECT_THAT(validation_failed(std::move(all)).message,
                HasSubstr("(1000 faults, of which the first 50 are listed)"));

    const auto long_name = faults_with('"' + std::string(100000, 'k') + "\":1");
    EXPECT_LT(long_name.at(0).size(), 200);
    EXPECT_THAT(long_name.at(0), HasSubstr("kkk... unknown_field"));
}

TEST(FieldRead, PointsIntoAPartOfABody)
{
    Faults faults;
    read<Options>(*json::parse(R"({"seed":"x"})"), faults, UnknownFields::refused, "#/items/3");
    EXPECT_EQ(faults.at(0).where, "#/items/3/seed");
}

}  // namespace
}  // namespace parley::fields
