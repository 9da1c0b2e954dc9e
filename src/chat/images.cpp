#include "chat/images.hpp"

#include "base/base64.hpp"
#include "base/hex.hpp"
#include "base/sha256.hpp"
#include "engine/question_turn.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::chat {
namespace {

struct ImageType {
    std::string_view name;
    bool (*begins)(std::string_view bytes);
};

constexpr std::array image_types{
    ImageType{"image/png",
              [](std::string_view bytes) { return bytes.starts_with("\x89PNG\r\n\x1a\n"); }},
    ImageType{"image/jpeg",
              [](std::string_view bytes) { return bytes.starts_with("\xff\xd8\xff"); }},
    ImageType{"image/gif",
              [](std::string_view bytes) {
                  return bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a");
              }},
    ImageType{"image/webp",
              [](std::string_view bytes) {
                  return bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP");
              }},
};

constexpr std::string_view data_scheme = "data:";
constexpr std::string_view base64_mark = ";base64,";

}  // namespace

Result<store::Image> read_data_url(std::string_view url)
{
    if (!url.starts_with(data_scheme)) return invalid_request("must be a data: URL");
    url.remove_prefix(data_scheme.size());
    const std::size_t comma = url.find(base64_mark);
    const std::string_view name = url.substr(0, std::min(comma, url.size()));
    const auto type = std::ranges::find(image_types, name, &ImageType::name);
    if (comma == url.npos || type == image_types.end())
        return invalid_request(
            "must be data:TYPE;base64,DATA with image/png, image/jpeg, image/gif or image/webp as "
            "TYPE");
    auto bytes = base64_decoded(url.substr(comma + base64_mark.size()));
    if (!bytes) return invalid_request("its data must be base64, with padding");
    if (!type->begins(*bytes))
        return invalid_request("its data is not of the type " + std::string(name));
    return store::Image{.sha256 = to_hex(sha256(*bytes)),
                        .media_type = std::string(name),
                        .bytes = std::move(*bytes)};
}

std::string data_url(const store::Image& image)
{
    std::string url(data_scheme);
    url.reserve(data_scheme.size() + image.media_type.size() + base64_mark.size() +
                (image.bytes.size() + 2) / 3 * 4);
    url.append(image.media_type).append(base64_mark);
    append_base64(url, image.bytes);
    return url;
}

engine::Turn turn_of(Speaker speaker, const std::vector<std::string>& parts,
                     const std::vector<ImageRef>& images)
{
    engine::Turn turn{.speaker = speaker};
    auto next = images.begin();
    for (std::size_t i = 0; i <= parts.size(); ++i) {
        for (; next != images.end() && (next->after <= i || i == parts.size()); ++next)
            turn.images.push_back({turn.text.size(), std::make_shared<const std::string>(
                                                         path_of_image(next->sha256))});
        if (i < parts.size()) turn.text += parts[i];
    }
    return turn;
}

Content content_of(engine::Turn turn)
{
    Content content;
    if (turn.images.empty()) {
        content.parts.push_back(std::move(turn.text));
        return content;
    }
    std::size_t said = 0;
    const auto say = [&](std::size_t end) {
        if (end > said) content.parts.push_back(turn.text.substr(said, end - said));
        said = end;
    };
    for (const engine::TurnImage& image : turn.images) {
        say(image.at);
        content.images.push_back(
            {.after = content.parts.size(), .sha256 = std::string(image_in_path(*image.url))});
    }
    say(turn.text.size());
    return content;
}

engine::Turn turn_of(const store::Message& question, bool sees_images)
{
    engine::Turn turn = turn_of(question.speaker, question.parts, question.images);
    if (!question.structured) engine::escape_question(turn);
    if (!sees_images) engine::replace_images(turn, missing_image);
    return turn;
}

}  // namespace parley::chat
