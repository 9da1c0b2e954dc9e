// Fuzzes the reader of calls with answers. It must not crash. Calls and text must not depend on how
// the answer was cut, and text that was escaped must come back as it was, without a call.
#include "engine/answer_reader.hpp"

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace {

using namespace parley::engine;

void must(bool holds)
{
    if (!holds) std::abort();
}

ToolsRef tools(ToolChoice choice, bool parallel)
{
    return std::make_shared<const Tools>(
        Tools{.functions = {{.name = "f"}, {.name = "g"}}, .choice = choice, .parallel = parallel});
}

void take(ReadAnswer& answer, const std::vector<AnswerPart>& parts)
{
    for (const AnswerPart& part : parts) {
        if (part.kind == AnswerPart::Kind::text) answer.text += part.text;
        if (part.kind == AnswerPart::Kind::call)
            answer.calls.push_back({.id = part.id, .name = part.name});
        if (part.kind != AnswerPart::Kind::arguments) continue;
        must(!answer.calls.empty());
        answer.calls.back().arguments += part.text;
    }
}

void read_in_pieces(std::string_view text, std::size_t size, const ToolsRef& tools, ToolUse use)
{
    const ReadAnswer whole = read_answer(text, tools, use);
    must(whole.calls.size() <= max_calls);
    must(may_call(tools, use) || whole.text == text);
    AnswerReader reader(tools, use);
    ReadAnswer joined;
    for (std::size_t at = 0; at < text.size(); at += size)
        take(joined, reader.add(text.substr(at, size)));
    take(joined, reader.end());
    must(joined.text == whole.text && joined.calls == whole.calls);
}

void escape_and_read(std::string_view text, std::size_t size)
{
    TextEscape escape;
    std::string escaped;
    for (std::size_t at = 0; at < text.size(); at += size)
        escaped += escape.add(text.substr(at, size));
    static const ToolsRef any = std::make_shared<const Tools>();
    const ReadAnswer read = read_answer(escaped, any, ToolUse::passed_on);
    must(read.text == text && read.calls.empty());
    must(unescaped(escaped) == text);

    const std::vector<ToolCall> calls{{.id = "c", .name = "f", .arguments = "{}"}};
    const ReadAnswer called =
        read_answer(text_of_calls(std::string(text), calls), any, ToolUse::passed_on);
    must(called.text == text && called.calls == calls);

    const std::vector<ToolResult> results{{.id = "c", .text = std::string(text)}, {.text = "x"}};
    must(read_results(text_of_results(results)).results == results);
}

}  // namespace

// The first byte selects the size of the pieces and the kind of the tools.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    const std::size_t piece = data[0] % 16U + 1;
    const bool parallel = (data[0] & 16U) != 0;
    for (const ToolChoice choice : {ToolChoice::automatic, ToolChoice::none, ToolChoice::required})
        for (const ToolUse use : {ToolUse::demanded, ToolUse::by_choice, ToolUse::passed_on})
            read_in_pieces(text, piece, tools(choice, parallel), use);
    escape_and_read(text, piece);
    return 0;
}
