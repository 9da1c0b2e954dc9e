// The contract tests of the rule that somebody looks after the server.
#pragma once

#include "store/contract_fixture.hpp"

namespace parley::store {

template <class Maker>
class OperatorsContract : public ContractTest<Maker> {
protected:
    bool has_operator() { return run(this->accounts().has_operator()).value(); }
    Result<User> change(const User& user, UserChange change)
    {
        return run(this->accounts().change_user(user.id, std::move(change)));
    }
    std::vector<User> users()
    {
        return run(this->accounts().list_users(std::nullopt, 100)).value().items;
    }
};

TYPED_TEST_SUITE_P(OperatorsContract);

TYPED_TEST_P(OperatorsContract, MakesOneFirstOperatorHoweverManyTry)
{
    std::vector<Task<Result<>>> tasks;
    for (int i = 0; i < 20; ++i)
        tasks.push_back(
            this->accounts().add_first_operator(this->new_user("user " + std::to_string(i))));
    int made = 0;
    for (const Result<>& result : run_all(std::move(tasks))) {
        if (result)
            ++made;
        else
            EXPECT_EQ(result.error().code, Errc::conflict);
    }
    EXPECT_EQ(made, 1);
    ASSERT_EQ(this->users().size(), 1U);
    EXPECT_EQ(this->users().at(0).role, Role::operator_);
}

TYPED_TEST_P(OperatorsContract, RefusesAFirstOperatorWhoseNameIsTaken)
{
    this->added_user("ana");
    EXPECT_EQ(run(this->accounts().add_first_operator(this->new_user("ana"))).error().code,
              Errc::conflict);
    EXPECT_FALSE(this->has_operator());
}

TYPED_TEST_P(OperatorsContract, KnowsWhetherThereIsAnActiveOperator)
{
    EXPECT_FALSE(this->has_operator());
    this->added_user("member");
    User disabled = this->new_user("disabled", Role::operator_);
    disabled.disabled = true;
    ASSERT_TRUE(run(this->accounts().add_user(disabled)));
    EXPECT_FALSE(this->has_operator());
    ASSERT_TRUE(run(this->accounts().add_first_operator(this->new_user("ana"))));
    EXPECT_TRUE(this->has_operator());
}

TYPED_TEST_P(OperatorsContract, KeepsTheLastOperator)
{
    const User last = this->added_user("last", Role::operator_);
    User former = this->added_user("former", Role::operator_);
    former = this->change(former, {.disabled = true}).value();
    this->added_user("member");
    const auto login = this->begun_login(last);
    const auto before = this->users();

    for (const UserChange& change :
         {UserChange{.role = Role::member}, UserChange{.disabled = true},
          UserChange{.display_name = "x", .disabled = true, .password_hash = "other"}})
        EXPECT_EQ(this->change(last, change).error().code, Errc::conflict);
    EXPECT_EQ(run(this->accounts().remove_user(last.id)).error().code, Errc::conflict);
    EXPECT_EQ(this->users(), before);
    EXPECT_TRUE(this->is_there(login.access));

    EXPECT_TRUE(this->change(last, {.display_name = "y", .role = Role::operator_}));
    EXPECT_TRUE(run(this->accounts().remove_user(former.id)));
    this->added_user("next", Role::operator_);
    EXPECT_TRUE(this->change(last, {.role = Role::member}));
    EXPECT_TRUE(run(this->accounts().remove_user(last.id)));
}

TYPED_TEST_P(OperatorsContract, LetsMembersGoWhereThereIsNoOperator)
{
    const User ana = this->added_user("ana");
    EXPECT_TRUE(this->change(ana, {.disabled = true}));
    EXPECT_TRUE(run(this->accounts().remove_user(ana.id)));
    EXPECT_EQ(run(this->accounts().remove_user(ana.id)).error().code, Errc::not_found);
}

TYPED_TEST_P(OperatorsContract, LeavesOneOfManyOperatorsWhoLeaveAtOnce)
{
    std::vector<Task<Result<>>> tasks;
    for (int i = 0; i < 20; ++i)
        tasks.push_back(this->accounts().remove_user(
            this->added_user("operator " + std::to_string(i), Role::operator_).id));
    const auto results = run_all(std::move(tasks));
    EXPECT_EQ(std::ranges::count_if(results, [](const auto& each) { return each.has_value(); }),
              19);
    EXPECT_TRUE(this->has_operator());
}

REGISTER_TYPED_TEST_SUITE_P(OperatorsContract, MakesOneFirstOperatorHoweverManyTry,
                            RefusesAFirstOperatorWhoseNameIsTaken,
                            KnowsWhetherThereIsAnActiveOperator, KeepsTheLastOperator,
                            LetsMembersGoWhereThereIsNoOperator,
                            LeavesOneOfManyOperatorsWhoLeaveAtOnce);

}  // namespace parley::store
