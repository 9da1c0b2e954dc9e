// The contract tests of the rule that somebody looks after the server.
#include "store/contract_fixture.hpp"

namespace parley::store {
namespace {

class OperatorsContract : public ContractTest {
protected:
    bool has_operator() { return block_on(accounts().has_operator()).value(); }
    Result<User> change(const User& user, UserChange change)
    {
        return block_on(accounts().change_user(user.id, std::move(change)));
    }
    std::vector<User> users()
    {
        return block_on(accounts().list_users(std::nullopt, 100)).value().items;
    }
};

TEST_F(OperatorsContract, MakesOneFirstOperatorHoweverManyTry)
{
    std::vector<Task<Result<>>> tasks;
    for (int i = 0; i < 20; ++i)
        tasks.push_back(accounts().add_first_operator(new_user("user " + std::to_string(i))));
    int made = 0;
    for (const Result<>& result : block_on_all(std::move(tasks))) {
        if (result)
            ++made;
        else
            EXPECT_EQ(result.error().code, Errc::conflict);
    }
    EXPECT_EQ(made, 1);
    ASSERT_EQ(users().size(), 1U);
    EXPECT_EQ(users().at(0).role, Role::operator_);
}

TEST_F(OperatorsContract, RefusesAFirstOperatorWhoseNameIsTaken)
{
    added_user("ana");
    EXPECT_EQ(block_on(accounts().add_first_operator(new_user("ana"))).error().code,
              Errc::conflict);
    EXPECT_FALSE(has_operator());
}

TEST_F(OperatorsContract, KnowsWhetherThereIsAnActiveOperator)
{
    EXPECT_FALSE(has_operator());
    added_user("member");
    User disabled = new_user("disabled", Role::operator_);
    disabled.disabled = true;
    ASSERT_TRUE(block_on(accounts().add_user(disabled)));
    EXPECT_FALSE(has_operator());
    ASSERT_TRUE(block_on(accounts().add_first_operator(new_user("ana"))));
    EXPECT_TRUE(has_operator());
}

TEST_F(OperatorsContract, KeepsTheLastOperator)
{
    const User last = added_user("last", Role::operator_);
    User former = added_user("former", Role::operator_);
    former = this->change(former, {.disabled = true}).value();
    added_user("member");
    const auto login = begun_login(last);
    const auto before = users();

    for (const UserChange& change :
         {UserChange{.role = Role::member}, UserChange{.disabled = true},
          UserChange{.display_name = "x", .disabled = true, .password_hash = "other"}})
        EXPECT_EQ(this->change(last, change).error().code, Errc::conflict);
    EXPECT_EQ(block_on(accounts().remove_user(last.id)).error().code, Errc::conflict);
    EXPECT_EQ(users(), before);
    EXPECT_TRUE(is_there(login.access));

    EXPECT_TRUE(this->change(last, {.display_name = "y", .role = Role::operator_}));
    EXPECT_TRUE(block_on(accounts().remove_user(former.id)));
    added_user("next", Role::operator_);
    EXPECT_TRUE(this->change(last, {.role = Role::member}));
    EXPECT_TRUE(block_on(accounts().remove_user(last.id)));
}

TEST_F(OperatorsContract, LetsMembersGoWhereThereIsNoOperator)
{
    const User ana = added_user("ana");
    EXPECT_TRUE(change(ana, {.disabled = true}));
    EXPECT_TRUE(block_on(accounts().remove_user(ana.id)));
    EXPECT_EQ(block_on(accounts().remove_user(ana.id)).error().code, Errc::not_found);
}

TEST_F(OperatorsContract, DoesNotCountOneWithoutAPassword)
{
    const User last = added_user("last", Role::operator_);
    User invited = new_user("invited", Role::operator_);
    invited.password_hash.clear();
    ASSERT_TRUE(block_on(accounts().add_user(invited)));
    EXPECT_EQ(change(last, {.role = Role::member}).error().code, Errc::conflict);
    ASSERT_TRUE(change(invited, {.password_hash = "chosen"}));
    EXPECT_TRUE(change(last, {.role = Role::member}));
}

TEST_F(OperatorsContract, LeavesOneOfManyOperatorsWhoLeaveAtOnce)
{
    std::vector<Task<Result<>>> tasks;
    for (int i = 0; i < 20; ++i)
        tasks.push_back(accounts().remove_user(
            added_user("operator " + std::to_string(i), Role::operator_).id));
    const auto results = block_on_all(std::move(tasks));
    EXPECT_EQ(std::ranges::count_if(results, [](const auto& each) { return each.has_value(); }),
              19);
    EXPECT_TRUE(has_operator());
}

}  // namespace
}  // namespace parley::store
