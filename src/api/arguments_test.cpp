// Bodies with rules that a service or the endpoint checks.
#include "api/pipeline_for_tests.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <optional>

namespace parley::api {
namespace {

using testing::ElementsAre;

struct Loan {
    std::string title;
    std::int64_t pages = 1;

    static constexpr auto fields()
    {
        return std::tuple(
            fields::field("title", &Loan::title, "What is lent.", fields::length(1, 20)),
            fields::field("pages", &Loan::pages, "How many."));
    }
};

struct Library {
    void add_faults_of(const Loan& loan, Faults& faults) const
    {
        if (loan.pages > most_pages) faults.push_back({"#/pages", "out_of_range", "too many"});
    }

    std::int64_t most_pages = 100;
};

Result<Loan> lend(const Library& library, CheckedBody<Loan, Library> loan)
{
    if (loan.pages > library.most_pages) return Error{Errc::conflict, "too many pages"};
    return Loan{loan.title, loan.pages};
}

// Reports the number of pages besides the faults that were found before.
Result<Loan> lend_later(const Library& library, BodyWithFaults<Loan> loan)
{
    library.add_faults_of(loan, loan.faults);
    if (!loan.faults.empty()) return validation_failed(std::move(loan.faults));
    return Loan{loan.title, loan.pages};
}

class CheckedBodyTest : public testing::Test {
protected:
    std::vector<std::string> pointers(const std::string& target, std::string body)
    {
        const auto response = tested.post_json(target, std::move(body));
        EXPECT_EQ(response.status, 422) << response.body;
        std::vector<std::string> found;
        const auto problem = json_of(response);
        for (const auto& entry : problem.at("errors").as_array()) {
            const auto& fault = entry.as_object();
            const auto* place = fault.if_contains("pointer");
            found.emplace_back((place ? *place : fault.at("parameter")).as_string());
        }
        return found;
    }

    Library library;
    TestedPipeline tested{
        {route<lend>("POST", "/v1/api/loans", "lend", "Lend something", open),
         route<lend_later>("POST", "/v1/api/later", "lendLater", "Lend it later", open)},
        [this](Services& services) { services.add(library); }};
};

TEST_F(CheckedBodyTest, FaultsOfTheServiceAreReportedWithThoseOfTheFields)
{
    EXPECT_THAT(pointers("/v1/api/loans", R"({"title":"","pages":101})"),
                ElementsAre("#/title", "#/pages"));
    EXPECT_THAT(pointers("/v1/api/loans?x=1", R"({"title":"Emma","pages":101})"),
                ElementsAre("x", "#/pages"));
    EXPECT_THAT(pointers("/v1/api/loans", R"({"title":"","pages":100})"), ElementsAre("#/title"));
}

TEST_F(CheckedBodyTest, ABodyWithoutFaultsIsLeftToTheEndpoint)
{
    EXPECT_EQ(tested.post_json("/v1/api/loans", R"({"title":"Emma","pages":101})").status, 409);
    EXPECT_EQ(tested.post_json("/v1/api/loans", R"({"title":"Emma","pages":100})").status, 200);
}

TEST_F(CheckedBodyTest, TheEndpointReportsFaultsOfTheFieldsWithItsOwn)
{
    EXPECT_THAT(pointers("/v1/api/later", R"({"title":"","pages":101})"),
                ElementsAre("#/title", "#/pages"));
    EXPECT_THAT(pointers("/v1/api/later", R"({"title":"Emma","pages":101})"),
                ElementsAre("#/pages"));
    EXPECT_THAT(pointers("/v1/api/later?x=1", R"({"title":"","pages":101})"),
                ElementsAre("x", "#/title"))
        << "it is not called";
    EXPECT_EQ(tested.post_json("/v1/api/later", R"({"title":"Emma","pages":100})").status, 200);
}

}  // namespace
}  // namespace parley::api
