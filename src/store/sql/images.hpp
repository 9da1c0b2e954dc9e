// Rows of images: stored with the first message that has them, deleted with the last one.
#pragma once

#include "store/runs.hpp"
#include "store/sql/chats.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace parley::store::sql {

// Reads the column `images` of a message.
std::vector<ImageRef> read_images(std::string_view packed);

Result<Image> find_image(Connection& connection, const Owner& owner, const std::string& sha256);

Result<std::size_t> image_size(Connection& connection, const Owner& owner,
                               const std::string& sha256);

// The hashes of all images of an owner, or of a session.
std::vector<std::string> image_names(Connection& connection, const Owner& owner);
std::vector<std::string> image_names(Connection& connection, std::int64_t session);

// Stores the new images of a run that its messages refer to, before the messages.
void store_images(Connection& connection, const NewRun& run);

// Makes a stored message use its images. Fails with not_found if one of them is not stored.
Result<> link_images(Connection& connection, const Owner& owner, std::int64_t position,
                     const Message& message);

// The images of a session before some of its messages are deleted. The session must be locked.
class SessionImages {
public:
    SessionImages(Connection& connection, const KeptSession& session);

    // Deletes those that no message has any more.
    void remove_unused() const;

private:
    Connection& connection_;
    std::set<std::int64_t> images_;
};

}  // namespace parley::store::sql
