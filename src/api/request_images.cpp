#include "api/request_images.hpp"

#include "api/openai_error.hpp"
#include "chat/images.hpp"
#include "fields/add_fault.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace parley::api {
namespace {

bool is_web_address(std::string_view url)
{
    return url.starts_with("https://") || url.starts_with("http://");
}

void note_image(Faults& faults, const InputImage& image, std::string_view code, std::string detail)
{
    fields::add_fault(faults, {image.where, std::string(code), std::move(detail)});
}

}  // namespace

Task<> RequestImages::decode(boost::asio::thread_pool& thread, std::vector<InputImage> images)
{
    if (images.empty() || !sees_images_ || !is_stored_) co_return;
    decoded_ = co_await offload(thread, [&images] {
        decltype(decoded_) decoded;
        for (const InputImage& image : images)
            if (decoded.size() < max_stored && image_in_path(*image.url).empty())
                decoded.emplace(image.url.get(), chat::read_data_url(*image.url));
        return decoded;
    });
}

Result<std::string> RequestImages::stored_path(const InputImage& image)
{
    auto decoded = decoded_.extract(image.url.get());
    auto read = decoded ? std::move(decoded.mapped()) : chat::read_data_url(*image.url);
    if (!read) return read.error();
    std::string path = path_of_image(read->sha256);
    if (std::ranges::find(stored_, read->sha256, &store::Image::sha256) == stored_.end())
        stored_.push_back(std::move(*read));
    return path;
}

std::optional<engine::TurnImage> RequestImages::take(const InputImage& image, Faults& faults)
{
    const auto refuse = [&](std::string_view code, std::string detail) {
        note_image(faults, image, code, std::move(detail));
        return std::nullopt;
    };
    if (first_place_.empty()) first_place_ = image.where;
    if (!sees_images_)
        return refuse(unsupported_parameter, "this model supports only parts of type text");
    const std::string& url = *image.url;
    if (is_stored_ && ++taken_ > max_stored)
        return refuse("too_long", "to be stored, a request must have at most 64 images");
    if (!image_in_path(url).empty()) return engine::TurnImage{image.at, image.url};
    if (!is_stored_) {
        if (url.starts_with("data:") || is_web_address(url))
            return engine::TurnImage{image.at, image.url};
        return refuse("not_allowed", "must be a data: or https: URL");
    }
    // It would have to be fetched from an address that the client names.
    if (is_web_address(url))
        return refuse(unsupported_parameter, "to be stored, an image must be sent as a data: URL");
    auto path = stored_path(image);
    if (!path) return refuse("not_allowed", path.error().message);
    return engine::TurnImage{image.at, std::make_shared<const std::string>(std::move(*path))};
}

void RequestImages::refuse(const std::vector<InputImage>& images, Faults& faults)
{
    for (const InputImage& image : images)
        note_image(faults, image, unsupported_parameter,
                   "only messages of the role user can have images");
}

}  // namespace parley::api
