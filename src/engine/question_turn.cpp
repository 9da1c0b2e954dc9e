#include "engine/question_turn.hpp"

#include <algorithm>
#include <utility>

namespace parley::engine {
namespace {

constexpr std::string_view between_questions = "\n\n";

// Replaces the question of a turn.
void put_question(Turn& turn, Turn question)
{
    escape_question(question);
    const std::size_t begin = read_results(turn.text).text_at;
    turn.text.resize(begin);
    turn.text += question.text;
    turn.images = std::move(question.images);
    for (TurnImage& image : turn.images) image.at += begin;
}

}  // namespace

// The backslash is the second character, so only an image before all text stays where it is.
void escape_question(Turn& turn)
{
    const std::size_t size = turn.text.size();
    turn.text = escaped_question(std::move(turn.text));
    if (turn.text.size() == size) return;
    for (TurnImage& image : turn.images)
        if (image.at > 0) ++image.at;
}

void unescape_question(Turn& turn)
{
    const std::size_t size = turn.text.size();
    turn.text = unescaped_question(std::move(turn.text));
    if (turn.text.size() == size) return;
    for (TurnImage& image : turn.images)
        if (image.at > 1) --image.at;
}

ReadTurn read_turn(const Turn& turn)
{
    ReadResults read = read_results(turn.text);
    ReadTurn made{.results = std::move(read.results),
                  .question = {turn.speaker, turn.text.substr(read.text_at), turn.images}};
    for (TurnImage& image : made.question.images) image.at -= std::min(image.at, read.text_at);
    unescape_question(made.question);
    return made;
}

JoinedQuestions::JoinedQuestions(Turn first)
    : turn_(std::move(first)), has_question_(!read_results(turn_.text).text.empty())
{
}

void JoinedQuestions::add(Turn question)
{
    if (has_question_) unescape_question(question);  // Only the beginning is escaped.
    // Results end with a tag: there is an empty line already if only images follow them.
    const bool has_line = !has_question_ && turn_.text.ends_with(between_questions);
    if (!turn_.text.empty() && !has_line) turn_.text += between_questions;
    for (TurnImage& image : question.images)
        turn_.images.push_back({turn_.text.size() + image.at, std::move(image.url)});
    turn_.text += question.text;
    has_question_ = has_question_ || !read_results(question.text).text.empty();
}

void replace_image(Turn& turn, std::size_t index, std::string_view text)
{
    Turn question = read_turn(turn).question;
    question.text.insert(question.images[index].at, text);
    question.images.erase(question.images.begin() + static_cast<std::ptrdiff_t>(index));
    for (std::size_t i = index; i < question.images.size(); ++i)
        question.images[i].at += text.size();
    put_question(turn, std::move(question));
}

void replace_images(Turn& turn, std::string_view text)
{
    if (turn.images.empty()) return;
    Turn question = read_turn(turn).question;
    std::string said;
    std::size_t at = 0;
    for (const TurnImage& image : question.images) {
        said.append(question.text, at, image.at - at).append(text);
        at = image.at;
    }
    said.append(question.text, at);
    question.text = std::move(said);
    question.images.clear();
    put_question(turn, std::move(question));
}

}  // namespace parley::engine
