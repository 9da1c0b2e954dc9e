#include "engine/llama/grammar.hpp"

#include "base/json.hpp"
#include "engine/llama/engine_for_tests.hpp"
#include "schema/schemas_for_tests.hpp"

#include <cmath>
#include <limits>
#include <random>

namespace parley::engine::llama {
namespace {

const Vocabulary& vocabulary()
{
    static const auto loaded = Vocabulary::load(weights_for_tests()).value();
    return *loaded;
}

schema::SchemaRef made(const std::string& text)
{
    auto schema = schema::restored(text);
    EXPECT_TRUE(schema) << text;
    return schema ? schema : schema::any_object();
}

std::unique_ptr<Grammar> started(const schema::Schema& schema, std::string_view so_far = {})
{
    return Grammar::make(vocabulary(), schema, so_far).value();
}

bool follows(const std::string& schema, std::string_view text)
{
    return Grammar::make(vocabulary(), *made(schema), text).has_value();
}

// Whether the answer may end after this text.
bool may_end(const std::string& schema, const std::string& text)
{
    const auto grammar = started(*made(schema), text);
    std::vector<float> logits(vocabulary().size(), 0);
    for (const Token end : vocabulary().ends_of_turn()) logits[static_cast<std::size_t>(end)] = 9;
    const SamplingParameters greedy{.temperature = 0};
    const auto chosen = grammar->sample(Sampler(logits, greedy, {}), false);
    const auto* token = std::get_if<Token>(&chosen);
    return token && vocabulary().ends_turn(*token);
}

// A model that knows nothing: all bytes and some other tokens are likely, also those that make no
// sense in JSON or in UTF-8.
class Noise {
public:
    explicit Noise(unsigned seed) : random_(seed), logits_(vocabulary().size()) {}

    std::span<const float> next()
    {
        std::ranges::fill(logits_, -50.F);
        std::normal_distribution<float> noise(0, 2);
        for (int i = 0; i < 100; ++i) logits_[random_() % logits_.size()] = noise(random_);
        for (int byte = 0; byte < 256; ++byte)
            if (const auto token = vocabulary().token_of_byte(static_cast<char>(byte)))
                at(*token) = noise(random_);
        for (const char closing : {'"', '}', ']', '0', 'l', 't'})
            at(*vocabulary().token_of_byte(closing)) += 4;
        for (const Token end : vocabulary().ends_of_turn()) at(end) = 6;
        return logits_;
    }

private:
    float& at(Token token) { return logits_[static_cast<std::size_t>(token)]; }

    std::mt19937 random_;
    std::vector<float> logits_;
};

// An answer of at most `most` tokens; empty if it was not complete by then.
std::string babbled(const schema::Schema& schema, unsigned seed, std::size_t most = 120)
{
    const auto grammar = started(schema);
    Noise noise(seed);
    const SamplingParameters hot{.temperature = 1.5, .seed = seed};
    std::string text;
    Tokens answer;
    while (answer.size() < most) {
        auto chosen = grammar->sample(Sampler(noise.next(), hot, answer), true);
        const auto* token = std::get_if<Token>(&chosen);
        if (!token) {
            ADD_FAILURE() << "stuck after " << text << " of " << schema.text;
            return {};
        }
        if (vocabulary().ends_turn(*token)) return text;
        EXPECT_TRUE(grammar->accept(*token));
        answer.push_back(*token);
        text += vocabulary().piece(*token);
    }
    return {};
}

TEST(Grammar, AllowsOnlyValidAnswers)
{
    schema::RandomSchemas schemas(7);
    int complete = 0;
    for (unsigned i = 0; complete < 4; ++i) {
        ASSERT_LT(i, 40U) << "only " << complete << " answers were complete";
        const auto schema = made(schemas.next());
        const std::string text = babbled(*schema, i);
        if (text.empty()) continue;
        ++complete;
        const auto value = schema::valid(*schema, text);
        ASSERT_TRUE(value) << text << " is not valid for " << schema->text;
        EXPECT_TRUE(text.find_first_of("\n\t\r") == text.npos);
    }
}

TEST(Grammar, TakesTheSmallestValueOfEverySchema)
{
    schema::RandomSchemas schemas(8);
    for (int i = 0; i < 20; ++i) {
        const std::string text = schemas.next();
        EXPECT_TRUE(may_end(text, schema::smallest_of(*made(text)))) << text;
    }
}

TEST(Grammar, ContinuesInTheMiddleOfAnything)
{
    const std::string schema =
        R"({"type":"object","properties":{"a":{"type":"string","maxLength":6},"b":{"type":"number"}},
            "required":["a","b"]})";
    const std::string text = "{\"a\":\"x\\\"\\\\ä😀\",\"b\":-1.5}";
    for (std::size_t end = 0; end <= text.size(); ++end)
        EXPECT_TRUE(follows(schema, std::string_view(text).substr(0, end))) << end;
    EXPECT_TRUE(may_end(schema, text));
    EXPECT_FALSE(follows(schema, text + "}"));
    EXPECT_FALSE(follows(schema, "{\"b\""));
    EXPECT_FALSE(follows(schema, "{ \"a\""));
}

TEST(Grammar, HoldsTheLargestBounds)
{
    const std::string longest = R"({"type":"string","maxLength":2000,"minLength":1999})";
    const auto text = [](std::size_t count) { return '"' + std::string(count, 'x'); };
    EXPECT_TRUE(may_end(longest, text(2000) + '"'));
    EXPECT_FALSE(follows(longest, text(2001)));
    EXPECT_FALSE(follows(longest, text(1998) + '"'));

    const std::string list =
        R"({"type":"array","items":{"type":"null"},"maxItems":1000,"minItems":999})";
    const auto nulls = [](int count) {
        std::string out = "[null";
        for (int i = 1; i < count; ++i) out += ",null";
        return out;
    };
    EXPECT_TRUE(may_end(list, nulls(1000) + ']'));
    EXPECT_FALSE(follows(list, nulls(1001)));
    EXPECT_FALSE(follows(list, nulls(998) + ']'));
}

TEST(Grammar, StopsRecursionAtTheDeepestAnswer)
{
    const std::string schema =
        R"({"$ref":"#/$defs/t","$defs":{"t":{"type":"array","items":{"$ref":"#/$defs/t"}}}})";
    const std::string deepest = std::string(24, '[') + std::string(24, ']');
    EXPECT_TRUE(may_end(schema, deepest));
    EXPECT_TRUE(schema::valid(*made(schema), deepest));
    EXPECT_FALSE(follows(schema, std::string(25, '[')));
}

// Tokens that are no text for us, or no UTF-8, are refused even where a string takes any character.
TEST(Grammar, AllowsOnlyTextInAString)
{
    const auto schema = made(R"({"type":"string"})");
    const SamplingParameters greedy{.temperature = 0};
    const auto chosen_after = [&](std::string_view so_far, Token wanted) {
        std::vector<float> logits(vocabulary().size(), 0);
        logits[static_cast<std::size_t>(wanted)] = 9;
        const auto grammar = started(*schema, so_far);
        return std::get<Token>(grammar->sample(Sampler(logits, greedy, {}), true));
    };
    int special = 0;
    for (Token token = 0; token < 30; ++token) {
        if (vocabulary().is_plain_text(token)) continue;
        EXPECT_NE(chosen_after("\"", token), token) << token;
        ++special;
    }
    EXPECT_GT(special, 2) << "the model's special tokens come first";
    const auto byte = [](unsigned char value) {
        return *vocabulary().token_of_byte(static_cast<char>(value));
    };
    EXPECT_EQ(chosen_after("\"", byte(0xED)), byte(0xED));
    EXPECT_NE(chosen_after("\"\xED", byte(0xA0)), byte(0xA0)) << "a surrogate";
    EXPECT_EQ(chosen_after("\"\xED", byte(0x9F)), byte(0x9F));
    EXPECT_NE(chosen_after("\"\xED", byte('"')), byte('"')) << "the character is not complete";
    EXPECT_NE(chosen_after("\"", byte(0x80)), byte(0x80));
}

TEST(Grammar, NeedsAllTokensOnlyIfTheLikeliestDoNotFit)
{
    const auto schema = made(R"({"const":"\u00b6"})");
    const auto grammar = started(*schema);
    std::vector<float> logits(vocabulary().size(), 0);
    for (std::size_t i = 0; i < 300; ++i) logits[logits.size() - 1 - i] = 9;
    const SamplingParameters parameters{.temperature = 1};
    const Sampler sampler(logits, parameters, {});
    EXPECT_TRUE(std::holds_alternative<Grammar::NeedsAll>(grammar->sample(sampler, false)));
    const auto chosen = grammar->sample(sampler, true);
    ASSERT_TRUE(std::holds_alternative<Token>(chosen));
    EXPECT_TRUE(vocabulary().piece(std::get<Token>(chosen)).starts_with('"'));
}

TEST(Grammar, IsNeverFreeBecauseOfAFault)
{
    // A reference that check() would not have let through.
    schema::Schema endless{.nodes = {{.kind = schema::Kind::any_of, .branches = {}}}};
    EXPECT_EQ(Grammar::make(vocabulary(), endless, "").error().code, Errc::internal);
}

}  // namespace
}  // namespace parley::engine::llama
