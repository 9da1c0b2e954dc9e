// GET /v1/api/chat/images/{sha256}: the images of messages, for their owner.
#include "api/api.hpp"
#include "api/run_answers.hpp"
#include "api/static_resource.hpp"
#include "api/wire/image.hpp"
#include "store/store.hpp"

namespace parley::api {
namespace {

using ChatReader = With<auth::Scope::chat_read>;

std::string file_name(const store::Image& image)
{
    return image.sha256.substr(0, 12) + "." +
           image.media_type.substr(image.media_type.find('/') + 1);
}

Task<Result<http::Response>> get_image(store::Store& store, ChatReader caller, Path<ImagePath> path,
                                       const http::RequestHead& head)
{
    const Owner owner = owner_of(caller);
    // First, so that the hash is one of a stored image, and only its owner learns of it.
    const auto size = co_await store.messages().image_size(owner, path.sha256);
    if (!size) co_return size.error();
    http::Response response;
    // Caches store nothing of a user, so this is for programs that have the image already.
    const std::string tag = "\"" + path.sha256 + "\"";
    response.fields.add("ETag", tag);
    if (client_has(head, tag)) {
        response.status = 304;
        co_return response;
    }
    auto image = co_await store.messages().find_image(owner, path.sha256);
    if (!image) co_return image.error();
    response.fields.add("Content-Type", image->media_type);
    response.fields.add("Content-Disposition", "inline; filename=\"" + file_name(*image) + "\"");
    response.body = std::move(image->bytes);
    co_return response;
}

DocumentedResponse documented_image(const char* media_type)
{
    return {.meaning = "The image.", .media_type = media_type, .schema = {{"type", "string"}}};
}

}  // namespace

std::vector<Route> image_routes()
{
    return {route<get_image>(
        "GET", "/v1/api/chat/images/{sha256}", "getImage", "Get an image of your messages",
        description(
            "An image is stored with the first message that has it, and deleted with the last one. "
            "Only its owner can get it."),
        responds_with(documented_image("image/png")), responds_with(documented_image("image/jpeg")),
        responds_with(documented_image("image/gif")), responds_with(documented_image("image/webp")),
        sends_fields("ETag", "Content-Disposition"),
        responds_with({.status = 304, .meaning = "Not modified."}))};
}

}  // namespace parley::api
