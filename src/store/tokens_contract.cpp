// The contract tests of tokens.
#include "store/contract_fixture.hpp"

namespace parley::store {
namespace {

class TokensContract : public ContractTest {
protected:
    TokenOwner found(const Token& token)
    {
        return block_on(tokens().find_token(token.hash)).value();
    }
    Errc revoke(const std::string& user, const std::string& id)
    {
        return block_on(tokens().revoke(user, id)).error().code;
    }
    std::size_t sweep(std::size_t most = 1000)
    {
        return block_on(tokens().sweep(clock.now(), most)).value();
    }
};

TEST_F(TokensContract, GivesTokensBackWithTheirOwner)
{
    const User ana = added_user("ana");
    Token sent = new_token('t', ana.id);
    sent.name = "build server";
    sent.scopes = 255;
    sent.created_by = "usr_other";
    sent.last_used_at = clock.now() + 1s;
    sent.expires_at = clock.now() + 2s;
    ASSERT_TRUE(block_on(tokens().add_token(sent)));
    EXPECT_EQ(found(sent).token, sent);
    EXPECT_EQ(found(sent).user, ana);

    const Token client = added_token('c');
    EXPECT_EQ(found(client).token, client);
    EXPECT_EQ(found(client).user, std::nullopt);
}

TEST_F(TokensContract, GivesTheOwnerAsTheyAreNow)
{
    const User ana = added_user("ana");
    const Token token = added_token('p', ana.id);
    const User disabled = block_on(accounts().change_user(ana.id, {.disabled = true})).value();
    EXPECT_EQ(found(token).user, disabled);
}

TEST_F(TokensContract, FindsATokenByItsWholeHash)
{
    const Token token = added_token('c');
    for (const std::size_t byte : {0U, 15U, 31U}) {
        TokenHash other = token.hash;
        other.at(byte) ^= 0x80;
        EXPECT_EQ(block_on(tokens().find_token(other)).error().code, Errc::not_found);
    }
    EXPECT_EQ(block_on(tokens().find_token({})).error().code, Errc::not_found);
    begun_login(added_user("ana"));  // A login has no hash of its own.
    EXPECT_EQ(block_on(tokens().find_token({})).error().code, Errc::not_found);
}

TEST_F(TokensContract, KeepsTimesToTheMillisecondAndEveryByteOfAName)
{
    Token sent = new_token('c');
    const TimePoint at = sent.created_at;
    sent.created_at += std::chrono::microseconds(1);
    sent.last_used_at = at + std::chrono::microseconds(2);
    sent.expires_at = at + std::chrono::microseconds(3);
    sent.name = "a\0'\"; DROP TABLE tokens; --"s + std::string(1 << 20, 'x');
    sent.hint = "\0"s;
    ASSERT_TRUE(block_on(tokens().add_token(sent)));
    sent.created_at = at;
    sent.last_used_at = at;
    sent.expires_at = at;
    EXPECT_TRUE(found(sent).token == sent);
}

TEST_F(TokensContract, RefusesATokenThatIsThereAndOneOfNobodyWeKnow)
{
    const Token token = added_token('c');
    Token same_id = new_token('c');
    same_id.id = token.id;
    Token same_hash = new_token('c');
    same_hash.hash = token.hash;
    EXPECT_EQ(block_on(tokens().add_token(same_id)).error().code, Errc::conflict);
    EXPECT_EQ(block_on(tokens().add_token(same_hash)).error().code, Errc::conflict);
    const Token orphan = new_token('p', "usr_none");
    EXPECT_EQ(block_on(tokens().add_token(orphan)).error().code, Errc::not_found);
    EXPECT_EQ(block_on(tokens().list_client_tokens()).value(), std::vector{token});
}

TEST_F(TokensContract, ListsTokensAndLoginsOfAUserNewestFirst)
{
    const User ana = added_user("ana");
    const User ben = added_user("ben");
    const Token first = added_token('p', ana.id);
    added_token('p', ben.id);
    const auto login = begun_login(ana, "phone");
    added_token('c');
    const Token last = added_token('t', ana.id);
    ASSERT_TRUE(refresh(login.refresh));

    const auto page = this->listed(ana.id);
    ASSERT_EQ(page.items.size(), 3U);
    EXPECT_EQ(page.next, std::nullopt);
    EXPECT_EQ(page.items.at(0), last);
    EXPECT_EQ(page.items.at(2), first);
    const Token& listed = page.items.at(1);
    EXPECT_EQ(listed.id, login.login.id);
    EXPECT_EQ(listed.kind, 's');
    EXPECT_EQ(listed.name, "phone");
    EXPECT_EQ(listed.created_by, ana.id);
    EXPECT_EQ(listed.created_at, login.login.created_at);
    EXPECT_EQ(listed.expires_at, login.login.expires_at);
    EXPECT_TRUE(this->listed("").items.empty());
    EXPECT_TRUE(this->listed("' OR 1=1 --").items.empty());
}

TEST_F(TokensContract, ListsPageByPage)
{
    const User ana = added_user("ana");
    std::vector<std::string> made;
    for (int i = 0; i < 7; ++i) {
        made.insert(made.begin(),
                    i % 2 == 0 ? added_token('p', ana.id).id : begun_login(ana).login.id);
        added_token('p', added_user("other " + std::to_string(i)).id);
    }
    std::vector<std::string> seen;
    std::optional<Tokens::Position> before;
    do {
        const auto page = listed(ana.id, before, 3);
        for (const Token& token : page.items) seen.push_back(token.id);
        added_token('p', ana.id);
        before = page.next;
    } while (before);
    EXPECT_EQ(seen, made);
    EXPECT_EQ(listed(ana.id, {}, 10).next, std::nullopt);
    EXPECT_NE(listed(ana.id, {}, 9).next, std::nullopt);
}

TEST_F(TokensContract, LeavesExpiredTokensOutOfTheListAndFindsThem)
{
    const User ana = added_user("ana");
    const Token token = added_token('p', ana.id, clock.now() + 10s);
    added_token('p', ana.id, clock.now() - 10s);
    ASSERT_EQ(listed(ana.id).items, std::vector{token});
    clock.advance(10s);
    EXPECT_TRUE(listed(ana.id).items.empty());
    EXPECT_EQ(found(token).token, token);
}

TEST_F(TokensContract, ListsClientTokensNewestFirst)
{
    const Token first = added_token('c');
    added_token('p', added_user("ana").id);
    const Token second = added_token('c');
    EXPECT_EQ(block_on(tokens().list_client_tokens()).value(), (std::vector{second, first}));
}

TEST_F(TokensContract, RevokesOnlyWhatBelongsToWhoAsks)
{
    const User ana = added_user("ana");
    const User ben = added_user("ben");
    const Token personal = added_token('p', ana.id);
    const Token client = added_token('c');
    const auto login = begun_login(ana);
    for (const std::string& id : {personal.id, client.id, login.login.id}) {
        EXPECT_EQ(revoke(ben.id, id), Errc::not_found);
        EXPECT_EQ(revoke("' OR 1=1 --", id), Errc::not_found);
    }
    EXPECT_EQ(revoke("", personal.id), Errc::not_found);
    EXPECT_EQ(revoke("", login.login.id), Errc::not_found);
    EXPECT_EQ(revoke(ana.id, client.id), Errc::not_found);
    EXPECT_EQ(revoke(ana.id, login.access.id), Errc::not_found);
    EXPECT_EQ(revoke(ana.id, ""), Errc::not_found);
    for (const Token& token : {personal, client, login.access, login.refresh})
        EXPECT_TRUE(is_there(token));

    EXPECT_TRUE(block_on(tokens().revoke(ana.id, personal.id)));
    EXPECT_TRUE(block_on(tokens().revoke("", client.id)));
    EXPECT_TRUE(block_on(tokens().revoke(ana.id, login.login.id)));
    for (const Token& token : {personal, client, login.access, login.refresh})
        EXPECT_FALSE(is_there(token));
    EXPECT_EQ(revoke(ana.id, personal.id), Errc::not_found);
}

TEST_F(TokensContract, NotesWhenTokensAndTheirLoginsWereUsed)
{
    const User ana = added_user("ana");
    const Token token = added_token('p', ana.id);
    const Token unused = added_token('p', ana.id);
    const auto login = begun_login(ana);
    const TimePoint now = clock.now();
    ASSERT_TRUE(block_on(tokens().note_uses({{token.id, now + 2s},
                                             {"tok_none", now},
                                             {login.access.id, now + 3s},
                                             {token.id, now + 1s}})));
    EXPECT_EQ(found(token).token.last_used_at, now + 2s);
    EXPECT_EQ(found(unused).token.last_used_at, std::nullopt);
    EXPECT_EQ(found(login.access).token.last_used_at, now + 3s);
    EXPECT_EQ(listed(ana.id).items.at(0).last_used_at, now + 3s);
    EXPECT_TRUE(block_on(tokens().note_uses({})));
}

TEST_F(TokensContract, ForgetsWhatHasExpiredAFewAtATime)
{
    const User ana = added_user("ana");
    const Token stays = added_token('p', ana.id);
    const Token later = added_token('p', ana.id, clock.now() + 1h);
    for (int i = 0; i < 5; ++i) added_token('p', ana.id, clock.now());
    clock.advance(1ms);
    EXPECT_EQ(sweep(0), 0U);
    EXPECT_EQ(sweep(3), 3U);
    EXPECT_EQ(sweep(3), 2U);
    EXPECT_EQ(sweep(3), 0U);
    EXPECT_TRUE(is_there(stays));
    EXPECT_TRUE(is_there(later));
}

TEST_F(TokensContract, ForgetsALoginAfterItsTokens)
{
    const User ana = added_user("ana");
    const auto login = begun_login(ana);
    clock.advance(access_life);
    EXPECT_EQ(sweep(), 1U);
    EXPECT_FALSE(is_there(login.access));
    EXPECT_EQ(listed(ana.id).items.size(), 1U);
    EXPECT_TRUE(refresh(login.refresh));
    clock.advance(refresh_life);
    EXPECT_EQ(sweep(2), 2U);
    EXPECT_EQ(sweep(2), 2U);  // The last token, and the login.
    EXPECT_EQ(sweep(2), 0U);
}

TEST_F(TokensContract, StoresTheAuditEventWithTheChangeOrNeither)
{
    const auto login = new_login(added_user("ana"));
    const Token client = new_token('c');
    std::vector<AuditEvent> events;
    const auto event = [&] { return events.emplace_back(new_event()); };
    const auto begin = [&](const AuditEvent& audit) {
        return block_on(tokens().begin_login(login.login, login.access, login.refresh, {}, audit));
    };
    ASSERT_TRUE(block_on(tokens().add_token(client, event())));
    ASSERT_TRUE(begin(event()));
    EXPECT_FALSE(begin(new_event()));
    EXPECT_FALSE(block_on(tokens().add_token(client, new_event())));
    EXPECT_FALSE(block_on(tokens().revoke("usr_none", client.id, new_event())));
    ASSERT_TRUE(block_on(tokens().revoke("", client.id, event())));
    ASSERT_TRUE(block_on(tokens().end_login(login.login.id, event())));
    std::ranges::reverse(events);
    EXPECT_EQ(audited(), events);
}

TEST_F(TokensContract, TakesWritesOfManyAtOnceAndKeepsThem)
{
    const User ana = added_user("ana");
    std::vector<Token> sent;
    std::vector<Task<Result<AddedToken>>> tasks;
    for (int i = 0; i < 200; ++i) {
        sent.push_back(new_token('p', ana.id));
        tasks.push_back(tokens().add_token(sent.back()));
    }
    for (const auto& result : block_on_all(std::move(tasks))) EXPECT_TRUE(result);
    if (keeps()) reopen();
    EXPECT_EQ(listed(ana.id, {}, 1000).items.size(), 200U);
    for (const Token& token : sent) EXPECT_EQ(found(token).token, token);
}

}  // namespace
}  // namespace parley::store
