// The contract tests of tokens.
#pragma once

#include "store/contract_fixture.hpp"

namespace parley::store {

template <class Maker>
class TokensContract : public ContractTest<Maker> {
protected:
    TokenOwner found(const Token& token)
    {
        return run(this->tokens().find_token(token.hash)).value();
    }
    Errc revoke(const std::string& user, const std::string& id)
    {
        return run(this->tokens().revoke(user, id)).error().code;
    }
    std::size_t sweep(std::size_t most = 1000)
    {
        return run(this->tokens().sweep(this->clock.now(), most)).value();
    }
};

TYPED_TEST_SUITE_P(TokensContract);

TYPED_TEST_P(TokensContract, GivesTokensBackWithTheirOwner)
{
    const User ana = this->added_user("ana");
    Token sent = this->new_token('t', ana.id);
    sent.name = "build server";
    sent.scopes = 255;
    sent.created_by = "usr_other";
    sent.last_used_at = this->clock.now() + 1s;
    sent.expires_at = this->clock.now() + 2s;
    ASSERT_TRUE(run(this->tokens().add_token(sent)));
    EXPECT_EQ(this->found(sent).token, sent);
    EXPECT_EQ(this->found(sent).user, ana);

    const Token client = this->added_token('c');
    EXPECT_EQ(this->found(client).token, client);
    EXPECT_EQ(this->found(client).user, std::nullopt);
}

TYPED_TEST_P(TokensContract, GivesTheOwnerAsTheyAreNow)
{
    const User ana = this->added_user("ana");
    const Token token = this->added_token('p', ana.id);
    const User disabled = run(this->accounts().change_user(ana.id, {.disabled = true})).value();
    EXPECT_EQ(this->found(token).user, disabled);
}

TYPED_TEST_P(TokensContract, FindsATokenByItsWholeHash)
{
    const Token token = this->added_token('c');
    for (const std::size_t byte : {0U, 15U, 31U}) {
        TokenHash other = token.hash;
        other.at(byte) ^= 0x80;
        EXPECT_EQ(run(this->tokens().find_token(other)).error().code, Errc::not_found);
    }
    EXPECT_EQ(run(this->tokens().find_token({})).error().code, Errc::not_found);
    this->begun_login(this->added_user("ana"));  // A login has no hash of its own.
    EXPECT_EQ(run(this->tokens().find_token({})).error().code, Errc::not_found);
}

TYPED_TEST_P(TokensContract, KeepsTimesToTheMillisecondAndEveryByteOfAName)
{
    Token sent = this->new_token('c');
    const TimePoint at = sent.created_at;
    sent.created_at += std::chrono::microseconds(1);
    sent.last_used_at = at + std::chrono::microseconds(2);
    sent.expires_at = at + std::chrono::microseconds(3);
    sent.name = "a\0'\"; DROP TABLE tokens; --"s + std::string(1 << 20, 'x');
    sent.hint = "\0"s;
    ASSERT_TRUE(run(this->tokens().add_token(sent)));
    sent.created_at = at;
    sent.last_used_at = at;
    sent.expires_at = at;
    EXPECT_TRUE(this->found(sent).token == sent);
}

TYPED_TEST_P(TokensContract, RefusesATokenThatIsThereAndOneOfNobodyWeKnow)
{
    const Token token = this->added_token('c');
    Token same_id = this->new_token('c');
    same_id.id = token.id;
    Token same_hash = this->new_token('c');
    same_hash.hash = token.hash;
    EXPECT_EQ(run(this->tokens().add_token(same_id)).error().code, Errc::conflict);
    EXPECT_EQ(run(this->tokens().add_token(same_hash)).error().code, Errc::conflict);
    const Token orphan = this->new_token('p', "usr_none");
    EXPECT_EQ(run(this->tokens().add_token(orphan)).error().code, Errc::not_found);
    EXPECT_EQ(run(this->tokens().list_client_tokens()).value(), std::vector{token});
}

TYPED_TEST_P(TokensContract, ListsTokensAndLoginsOfAUserNewestFirst)
{
    const User ana = this->added_user("ana");
    const User ben = this->added_user("ben");
    const Token first = this->added_token('p', ana.id);
    this->added_token('p', ben.id);
    const auto login = this->begun_login(ana, "phone");
    this->added_token('c');
    const Token last = this->added_token('t', ana.id);
    ASSERT_TRUE(this->refresh(login.refresh));

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

TYPED_TEST_P(TokensContract, ListsPageByPage)
{
    const User ana = this->added_user("ana");
    std::vector<std::string> made;
    for (int i = 0; i < 7; ++i) {
        made.insert(made.begin(), i % 2 == 0 ? this->added_token('p', ana.id).id
                                             : this->begun_login(ana).login.id);
        this->added_token('p', this->added_user("other " + std::to_string(i)).id);
    }
    std::vector<std::string> seen;
    std::optional<Tokens::Position> before;
    do {
        const auto page = this->listed(ana.id, before, 3);
        for (const Token& token : page.items) seen.push_back(token.id);
        this->added_token('p', ana.id);
        before = page.next;
    } while (before);
    EXPECT_EQ(seen, made);
    EXPECT_EQ(this->listed(ana.id, {}, 10).next, std::nullopt);
    EXPECT_NE(this->listed(ana.id, {}, 9).next, std::nullopt);
}

TYPED_TEST_P(TokensContract, LeavesExpiredTokensOutOfTheListAndFindsThem)
{
    const User ana = this->added_user("ana");
    const Token token = this->added_token('p', ana.id, this->clock.now() + 10s);
    this->added_token('p', ana.id, this->clock.now() - 10s);
    ASSERT_EQ(this->listed(ana.id).items, std::vector{token});
    this->clock.advance(10s);
    EXPECT_TRUE(this->listed(ana.id).items.empty());
    EXPECT_EQ(this->found(token).token, token);
}

TYPED_TEST_P(TokensContract, ListsClientTokensNewestFirst)
{
    const Token first = this->added_token('c');
    this->added_token('p', this->added_user("ana").id);
    const Token second = this->added_token('c');
    EXPECT_EQ(run(this->tokens().list_client_tokens()).value(), (std::vector{second, first}));
}

TYPED_TEST_P(TokensContract, RevokesOnlyWhatBelongsToWhoAsks)
{
    const User ana = this->added_user("ana");
    const User ben = this->added_user("ben");
    const Token personal = this->added_token('p', ana.id);
    const Token client = this->added_token('c');
    const auto login = this->begun_login(ana);
    for (const std::string& id : {personal.id, client.id, login.login.id}) {
        EXPECT_EQ(this->revoke(ben.id, id), Errc::not_found);
        EXPECT_EQ(this->revoke("' OR 1=1 --", id), Errc::not_found);
    }
    EXPECT_EQ(this->revoke("", personal.id), Errc::not_found);
    EXPECT_EQ(this->revoke("", login.login.id), Errc::not_found);
    EXPECT_EQ(this->revoke(ana.id, client.id), Errc::not_found);
    EXPECT_EQ(this->revoke(ana.id, login.access.id), Errc::not_found);
    EXPECT_EQ(this->revoke(ana.id, ""), Errc::not_found);
    for (const Token& token : {personal, client, login.access, login.refresh})
        EXPECT_TRUE(this->is_there(token));

    EXPECT_TRUE(run(this->tokens().revoke(ana.id, personal.id)));
    EXPECT_TRUE(run(this->tokens().revoke("", client.id)));
    EXPECT_TRUE(run(this->tokens().revoke(ana.id, login.login.id)));
    for (const Token& token : {personal, client, login.access, login.refresh})
        EXPECT_FALSE(this->is_there(token));
    EXPECT_EQ(this->revoke(ana.id, personal.id), Errc::not_found);
}

TYPED_TEST_P(TokensContract, NotesWhenTokensAndTheirLoginsWereUsed)
{
    const User ana = this->added_user("ana");
    const Token token = this->added_token('p', ana.id);
    const Token unused = this->added_token('p', ana.id);
    const auto login = this->begun_login(ana);
    const TimePoint now = this->clock.now();
    ASSERT_TRUE(run(this->tokens().note_uses({{token.id, now + 2s},
                                              {"tok_none", now},
                                              {login.access.id, now + 3s},
                                              {token.id, now + 1s}})));
    EXPECT_EQ(this->found(token).token.last_used_at, now + 2s);
    EXPECT_EQ(this->found(unused).token.last_used_at, std::nullopt);
    EXPECT_EQ(this->found(login.access).token.last_used_at, now + 3s);
    EXPECT_EQ(this->listed(ana.id).items.at(0).last_used_at, now + 3s);
    EXPECT_TRUE(run(this->tokens().note_uses({})));
}

TYPED_TEST_P(TokensContract, ForgetsWhatHasExpiredAFewAtATime)
{
    const User ana = this->added_user("ana");
    const Token stays = this->added_token('p', ana.id);
    const Token later = this->added_token('p', ana.id, this->clock.now() + 1h);
    for (int i = 0; i < 5; ++i) this->added_token('p', ana.id, this->clock.now());
    this->clock.advance(1ms);
    EXPECT_EQ(this->sweep(0), 0U);
    EXPECT_EQ(this->sweep(3), 3U);
    EXPECT_EQ(this->sweep(3), 2U);
    EXPECT_EQ(this->sweep(3), 0U);
    EXPECT_TRUE(this->is_there(stays));
    EXPECT_TRUE(this->is_there(later));
}

TYPED_TEST_P(TokensContract, ForgetsALoginAfterItsTokens)
{
    const User ana = this->added_user("ana");
    const auto login = this->begun_login(ana);
    this->clock.advance(this->access_life);
    EXPECT_EQ(this->sweep(), 1U);
    EXPECT_FALSE(this->is_there(login.access));
    EXPECT_EQ(this->listed(ana.id).items.size(), 1U);
    EXPECT_TRUE(this->refresh(login.refresh));
    this->clock.advance(this->refresh_life);
    EXPECT_EQ(this->sweep(2), 2U);
    EXPECT_EQ(this->sweep(2), 2U);  // The last token, and the login.
    EXPECT_EQ(this->sweep(2), 0U);
}

TYPED_TEST_P(TokensContract, StoresTheAuditEventWithTheChangeOrNeither)
{
    const auto login = this->new_login(this->added_user("ana"));
    const Token client = this->new_token('c');
    std::vector<AuditEvent> events;
    const auto event = [&] { return events.emplace_back(this->new_event()); };
    const auto begin = [&](const AuditEvent& audit) {
        return run(this->tokens().begin_login(login.login, login.access, login.refresh, {}, audit));
    };
    ASSERT_TRUE(run(this->tokens().add_token(client, event())));
    ASSERT_TRUE(begin(event()));
    EXPECT_FALSE(begin(this->new_event()));
    EXPECT_FALSE(run(this->tokens().add_token(client, this->new_event())));
    EXPECT_FALSE(run(this->tokens().revoke("usr_none", client.id, this->new_event())));
    ASSERT_TRUE(run(this->tokens().revoke("", client.id, event())));
    ASSERT_TRUE(run(this->tokens().end_login(login.login.id, event())));
    std::ranges::reverse(events);
    EXPECT_EQ(this->audited(), events);
}

TYPED_TEST_P(TokensContract, TakesWritesOfManyAtOnceAndKeepsThem)
{
    const User ana = this->added_user("ana");
    std::vector<Token> sent;
    std::vector<Task<Result<>>> tasks;
    for (int i = 0; i < 200; ++i) {
        sent.push_back(this->new_token('p', ana.id));
        tasks.push_back(this->tokens().add_token(sent.back()));
    }
    for (const auto& result : run_all(std::move(tasks))) EXPECT_TRUE(result);
    if (TypeParam::keeps) this->reopen();
    EXPECT_EQ(this->listed(ana.id, {}, 1000).items.size(), 200U);
    for (const Token& token : sent) EXPECT_EQ(this->found(token).token, token);
}

REGISTER_TYPED_TEST_SUITE_P(TokensContract, GivesTokensBackWithTheirOwner,
                            GivesTheOwnerAsTheyAreNow, FindsATokenByItsWholeHash,
                            KeepsTimesToTheMillisecondAndEveryByteOfAName,
                            RefusesATokenThatIsThereAndOneOfNobodyWeKnow,
                            ListsTokensAndLoginsOfAUserNewestFirst, ListsPageByPage,
                            LeavesExpiredTokensOutOfTheListAndFindsThem,
                            ListsClientTokensNewestFirst, RevokesOnlyWhatBelongsToWhoAsks,
                            NotesWhenTokensAndTheirLoginsWereUsed, ForgetsWhatHasExpiredAFewAtATime,
                            ForgetsALoginAfterItsTokens, StoresTheAuditEventWithTheChangeOrNeither,
                            TakesWritesOfManyAtOnceAndKeepsThem);

}  // namespace parley::store
