// Images in messages: how a client sends them, how a message with images becomes a turn of the
// conversation that a model gets, and back.
//
// Threads: plain functions.
#pragma once

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "store/messages.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace parley::chat {

// The image in a `data:` URL with base64: PNG, JPEG, GIF or WebP, and of the type that it claims to
// be. The message of an error says what is wrong.
Result<store::Image> read_data_url(std::string_view url);

std::string data_url(const store::Image& image);

// Takes the place of an image that is not sent to a model.
inline constexpr std::string_view missing_image = "[image]";

// Parts and images of a message.
struct Content {
    std::vector<std::string> parts = {};
    std::vector<ImageRef> images = {};
};

// The parts as one text, with the images in it, and back: the text divided where images are.
engine::Turn turn_of(Speaker speaker, const std::vector<std::string>& parts,
                     const std::vector<ImageRef>& images);
Content content_of(engine::Turn turn);

// A stored question as the model gets it. `sees_images`: of the model; for others the text says
// where images are.
engine::Turn turn_of(const store::Message& question, bool sees_images);

}  // namespace parley::chat
