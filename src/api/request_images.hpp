// The images of a request: decoded to be stored, or passed on to the model as they are.
//
// Threads: the loop of the request.
#pragma once

#include "api/wire/input_image.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"
#include "store/messages.hpp"

#include <boost/asio/thread_pool.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parley::api {

class RequestImages {
public:
    static constexpr std::size_t max_stored = 64;

    // `sees_images`: of the model.
    RequestImages(bool sees_images, bool is_stored)
        : sees_images_(sees_images), is_stored_(is_stored)
    {
    }

    // Decodes images by `thread` before they are taken: large ones would hold up the loop.
    Task<> decode(boost::asio::thread_pool& thread, std::vector<InputImage> images);

    // Nothing, and a fault, if it cannot be used. If it is to be stored, its URL becomes the path
    // of the stored image. An image that the client has stored before can be given by that path.
    std::optional<engine::TurnImage> take(const InputImage& image, Faults& faults);

    // For a message that cannot have images.
    static void refuse(const std::vector<InputImage>& images, Faults& faults);

    // The new ones, each once.
    std::vector<store::Image> take_stored() { return std::move(stored_); }
    // The place of the first image in the request; empty if there is none.
    const std::string& first_place() const { return first_place_; }

private:
    Result<std::string> stored_path(const InputImage& image);

    const bool sees_images_;
    const bool is_stored_;
    std::size_t taken_ = 0;
    std::map<const std::string*, Result<store::Image>> decoded_;  // By their URLs.
    std::vector<store::Image> stored_;
    std::string first_place_;
};

}  // namespace parley::api
