#include "fields/read.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::fields {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

enum class Sort { activity, created };
constexpr auto names_of(Sort)
{
    return std::array{Named{Sort::activity, "activity"}, Named{Sort::created, "created"}};
}

struct Page {
    std::string session;
    std::int64_t limit = 0;
    std::optional<std::string> after;
    Sort sort = Sort::created;
    std::optional<bool> archived;
    std::optional<double> share;

    static constexpr auto fields()
    {
        return std::tuple(field("session", &Page::session, "Whose.", length(1, 40)),
                          field("limit", &Page::limit, "How many.", defaults_to(20), range(1, 100)),
                          field("after", &Page::after, "Where the last page ended."),
                          field("sort", &Page::sort, "By what.", defaults_to(Sort::activity)),
                          field("archived", &Page::archived, "Only these."),
                          field("share", &Page::share, "A part.", range(0, 1)));
    }
};

struct ParametersOutcome {
    Page page;
    std::vector<std::string> faults;
};

ParametersOutcome outcome_of_parameters(std::vector<Parameter> parameters)
{
    Faults faults;
    ParametersOutcome out{read_parameters<Page>(parameters, faults), {}};
    for (const Fault& fault : faults) {
        EXPECT_EQ(fault.place, Fault::Location::parameter);
        out.faults.push_back(fault.where + ' ' + fault.code);
    }
    return out;
}

std::vector<std::string> faults_with(std::string name, std::string value)
{
    return outcome_of_parameters({{"session", "s"}, {std::move(name), std::move(value)}}).faults;
}

TEST(FieldParameters, ReadTextAsTheTypeOfTheirField)
{
    const auto [page, faults] = outcome_of_parameters({{"session", "123"},
                                                       {"limit", "5"},
                                                       {"after", "true"},
                                                       {"sort", "created"},
                                                       {"archived", "false"},
                                                       {"share", "5e-1"}});
    EXPECT_THAT(faults, IsEmpty());
    EXPECT_EQ(page.session, "123");
    EXPECT_EQ(page.limit, 5);
    EXPECT_EQ(page.after, "true");
    EXPECT_EQ(page.sort, Sort::created);
    EXPECT_EQ(page.archived, false);
    EXPECT_EQ(page.share, 0.5);
}

TEST(FieldParameters, MayBeAbsentLikeFieldsOfABody)
{
    const auto [page, faults] = outcome_of_parameters({{"session", "s"}});
    EXPECT_THAT(faults, IsEmpty());
    EXPECT_EQ(page.limit, 20);
    EXPECT_EQ(page.sort, Sort::activity);
    EXPECT_FALSE(page.after);
    EXPECT_THAT(outcome_of_parameters({}).faults, ElementsAre("session required"));
}

TEST(FieldParameters, MustBeWhatTheySay)
{
    for (const char* text : {"", "x", "1x", " 1", "+1", "1.5", "0x5", "99999999999999999999"})
        EXPECT_THAT(faults_with("limit", text), ElementsAre("limit wrong_type")) << text;
    EXPECT_THAT(faults_with("limit", "0"), ElementsAre("limit out_of_range"));
    EXPECT_THAT(faults_with("limit", "-1"), ElementsAre("limit out_of_range"));
    for (const char* text : {"nan", "inf", "-inf", "infinity", "1e999", "0x1p3", "1,5", "", "e"})
        EXPECT_THAT(faults_with("share", text), ElementsAre("share wrong_type")) << text;
    for (const char* text : {"", "1", "TRUE", "yes", "null"})
        EXPECT_THAT(faults_with("archived", text), ElementsAre("archived wrong_type")) << text;
    EXPECT_THAT(faults_with("sort", "Created"), ElementsAre("sort not_allowed"));
    EXPECT_THAT(outcome_of_parameters({{"session", ""}}).faults, ElementsAre("session too_short"));
}

TEST(FieldParameters, MustNotComeTwice)
{
    EXPECT_THAT(
        outcome_of_parameters({{"session", "s"}, {"limit", "5"}, {"limit", "5"}, {"limit", "6"}})
            .faults,
        ElementsAre("limit duplicate_parameter"));
}

TEST(FieldParameters, MustBeKnown)
{
    Faults faults;
    read_parameters<Page>(std::vector<Parameter>{{"session", "s"}, {"lmit", "5"}}, faults);
    ASSERT_THAT(faults, SizeIs(1));
    EXPECT_EQ(faults[0].code, "unknown_parameter");
    EXPECT_EQ(faults[0].detail, R"(is not a known parameter; did you mean "limit"?)");

    faults.clear();
    read_parameters<Page>(std::vector<Parameter>{{"session", "s"}, {"lmit", "5"}}, faults,
                          UnknownFields::ignored);
    EXPECT_THAT(faults, IsEmpty());
}

TEST(FieldParameters, MustBeUtf8AndAreNamedInUtf8)
{
    EXPECT_THAT(faults_with("after", "\xFF"), ElementsAre("after not_utf8"));
    EXPECT_THAT(outcome_of_parameters({{"session", "\xC0\x80"}}).faults,
                ElementsAre("session not_utf8"));
    EXPECT_THAT(faults_with("\xFFx", ""), ElementsAre("\uFFFDx unknown_parameter"));
}

TEST(FieldParameters, AreReportedWithinBounds)
{
    std::vector<Parameter> many{{"session", "s"}};
    for (int i = 0; i < 1000; ++i) many.push_back({"unknown" + std::to_string(i), ""});
    EXPECT_THAT(outcome_of_parameters(many).faults, SizeIs(max_faults + 1));
    EXPECT_LT(faults_with(std::string(8000, 'k'), "").at(0).size(), 200);
}

}  // namespace
}  // namespace parley::fields
