#include "fields/schema.hpp"

#include "base/json.hpp"

#include <gtest/gtest.h>

namespace parley::fields {
namespace {

enum class Role { member, admin };
constexpr auto names_of(Role)
{
    return std::array{Named{Role::member, "member"}, Named{Role::admin, "operator"}};
}

struct Inner {
    std::int64_t seed = 0;

    static constexpr auto fields() { return std::tuple(field("seed", &Inner::seed, "A number.")); }
};

struct Sample {
    std::string message;
    std::optional<std::string> name;
    std::optional<double> top_p;
    std::int64_t limit = 0;
    std::optional<Role> role;
    Role kind = Role::member;
    std::vector<std::string> stop;
    std::map<std::string, std::string> metadata;
    Nullable<Inner> inner;
    std::optional<std::string> mode;
    bool stream = false;
    boost::json::value anything;

    static constexpr auto fields()
    {
        return std::tuple(
            field("message", &Sample::message, "What is said.", length(8, 100), example("Hello")),
            field("name", &Sample::name, "Who.", characters(2, 128)),
            field("top_p", &Sample::top_p, "Likely words.", above(0, 1), example(0.9)),
            field("limit", &Sample::limit, "How many.", range(1, 100), defaults_to(20)),
            field("role", &Sample::role, "May what."),
            field("kind", &Sample::kind, "Is what.", defaults_to(Role::admin)),
            field("stop", &Sample::stop, "Ends it.", length(1, 4), each(characters(1, 64))),
            field("metadata", &Sample::metadata, "Yours.", length(0, 16), keys(characters(1, 64)),
                  each(characters(0, 512)), defaults_to(empty)),
            field("inner", &Sample::inner, "Inside."),
            field("mode", &Sample::mode, "How.", one_of("fast", "good"), omit_if_absent),
            field("stream", &Sample::stream, "As it comes.", defaults_to(false)),
            field("anything", &Sample::anything, "Free."));
    }
};

boost::json::value about(std::string_view name)
{
    return schema<Sample>().at("properties").at(name);
}

boost::json::value json(std::string_view text) { return *json::parse(text); }

TEST(FieldSchema, TellsWhatIsRequiredAndThatNothingElseIsAllowed)
{
    const auto all = schema<Sample>();
    EXPECT_EQ(all.at("type"), "object");
    EXPECT_EQ(all.at("required"), json(R"(["message","stop","anything"])"));
    EXPECT_EQ(all.at("additionalProperties"), false);
}

TEST(FieldSchema, OfWhatIsSentNamesAllThatIsAlwaysThereAndLetsMoreCome)
{
    const auto all = schema<Sample>(Direction::response);
    EXPECT_FALSE(all.contains("additionalProperties"));
    EXPECT_FALSE(all.at("properties").at("inner").as_object().contains("additionalProperties"));
    EXPECT_EQ(all.at("required"), json(R"(["message","name","top_p","limit","role","kind","stop",
        "metadata","stream","anything"])"));
}

TEST(FieldSchema, DoesNotAllowNullWhereAnAbsentFieldIsLeftOut)
{
    EXPECT_EQ(about("mode").at("type"), json(R"(["string","null"])"));
    EXPECT_EQ(schema<Sample>(Direction::response).at("properties").at("mode").at("type"), "string");
}

struct Known {
    std::string at;

    static constexpr SchemaInfo schema_info{"Known", "Something with a name."};
    static constexpr auto fields()
    {
        return std::tuple(field("at", &Known::at, "When.", format("date-time"), pattern("^2")));
    }
};

TEST(FieldSchema, HasTheNameAndTheMeaningOfItsStruct)
{
    EXPECT_EQ(schema<Known>().at("title"), "Known");
    EXPECT_EQ(schema<Known>().at("summary"), "Something with a name.");
    EXPECT_FALSE(schema<Sample>().contains("title"));
    EXPECT_EQ(
        schema<Known>().at("properties").at("at"),
        json(R"({"type":"string","description":"When.","format":"date-time","pattern":"^2"})"));
}

TEST(FieldSchema, TellsBytesInWordsSinceSchemasCountCharacters)
{
    EXPECT_EQ(about("message"), json(R"({"type":"string","minLength":2,"maxLength":100,
        "description":"What is said. 8 to 100 bytes of UTF-8.","examples":["Hello"]})"));
}

TEST(FieldSchema, TellsTheRulesThatReadingChecks)
{
    EXPECT_EQ(about("name"), json(R"({"type":["string","null"],"description":"Who.",
        "minLength":2,"maxLength":128})"));
    EXPECT_EQ(about("top_p"), json(R"({"type":["number","null"],"format":"double",
        "description":"Likely words.","exclusiveMinimum":0,"maximum":1,"examples":[0.9]})"));
    EXPECT_EQ(about("limit"),
              json(R"({"type":["integer","null"],"format":"int64","description":"How many.",
        "minimum":1,"maximum":100,"default":20})"));
    EXPECT_EQ(about("stop"), json(R"({"type":"array","description":"Ends it.","minItems":1,
        "maxItems":4,"items":{"type":"string","minLength":1,"maxLength":64}})"));
    EXPECT_EQ(about("metadata"),
              json(R"({"type":["object","null"],"description":"Yours.","default":{},
        "minProperties":0,"maxProperties":16,"propertyNames":{"minLength":1,"maxLength":64},
        "additionalProperties":{"type":"string","minLength":0,"maxLength":512}})"));
    EXPECT_EQ(about("stream"), json(R"({"type":["boolean","null"],"description":"As it comes.",
        "default":false})"));
    EXPECT_EQ(about("anything"), json(R"({"description":"Free."})"));
}

TEST(FieldSchema, ListsChoicesAndNullAmongThemWhereItMayBeNull)
{
    EXPECT_EQ(about("role"), json(R"({"type":["string","null"],"description":"May what.",
        "enum":["member","operator",null]})"));
    EXPECT_EQ(about("kind"), json(R"({"type":["string","null"],"description":"Is what.",
        "enum":["member","operator",null],"default":"operator"})"));
    EXPECT_EQ(about("mode"), json(R"({"type":["string","null"],"description":"How.",
        "enum":["fast","good",null]})"));
}

TEST(FieldSchema, DescribesWhatIsInside)
{
    EXPECT_EQ(about("inner"), json(R"({"type":["object","null"],"description":"Inside.",
        "properties":{"seed":{"type":"integer","format":"int64","description":"A number."}},
        "required":["seed"],"additionalProperties":false})"));
}

TEST(FieldSchema, WritesWholeNumbersAsPeopleDo)
{
    const std::string text = boost::json::serialize(about("limit"));
    EXPECT_NE(text.find(R"("maximum":100)"), std::string::npos);
    EXPECT_EQ(text.find('E'), std::string::npos);
}

}  // namespace
}  // namespace parley::fields
