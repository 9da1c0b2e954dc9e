#include "store/sql/images.hpp"

#include "store/sql/packed_texts.hpp"

#include <charconv>
#include <map>
#include <set>

namespace parley::store::sql {
namespace {

struct ImageColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::string> media_type{*in, "media_type"};
};

struct BytesColumns {
    const Statement* in;
    Column<std::string> media_type{*in, "media_type"};
    Column<std::string> bytes{*in, "bytes"};
};

struct StoredImage {
    std::int64_t position = 0;
    std::string media_type = {};
};

std::optional<StoredImage> stored_image(Connection& connection, const Owner& owner,
                                        const std::string& sha256)
{
    Query select = connection.query(
        "SELECT position, media_type FROM images"
        " WHERE images.user = ?1 AND test = ?2 AND sha256 = ?3");
    if (!select.bind(owner.user, owner.test, sha256).next()) return std::nullopt;
    const auto& at = select.columns<ImageColumns>();
    return StoredImage{select[at.position], select[at.media_type]};
}

void pack_image(std::string& out, const ImageRef& image, const std::string& media_type)
{
    append_packed(out, std::to_string(image.after));
    append_packed(out, image.sha256);
    append_packed(out, media_type);
}

std::set<std::string> images_in_use(const NewRun& run)
{
    std::set<std::string> used;
    const auto add = [&](const Message& message) {
        for (const ImageRef& image : message.images) used.insert(image.sha256);
    };
    if (run.question) add(*run.question);
    for (const Message& message : run.earlier) add(message);
    return used;
}

}  // namespace

std::vector<ImageRef> read_images(std::string_view packed)
{
    std::vector<ImageRef> images;
    while (!packed.empty()) {
        ImageRef image;
        const std::string_view after = take_packed(packed);
        std::from_chars(after.data(), after.data() + after.size(), image.after);
        image.sha256 = take_packed(packed);
        image.media_type = take_packed(packed);
        images.push_back(std::move(image));
    }
    return images;
}

Result<Image> find_image(Connection& connection, const Owner& owner, const std::string& sha256)
{
    Query select = connection.query(
        "SELECT media_type, bytes FROM images"
        " WHERE images.user = ?1 AND test = ?2 AND sha256 = ?3");
    if (!select.bind(owner.user, owner.test, sha256).next()) return not_found("The image");
    const auto& at = select.columns<BytesColumns>();
    return Image{.sha256 = sha256, .media_type = select[at.media_type], .bytes = select[at.bytes]};
}

Result<std::size_t> image_size(Connection& connection, const Owner& owner,
                               const std::string& sha256)
{
    Query select = connection.query(
        "SELECT length(bytes) FROM images"
        " WHERE images.user = ?1 AND test = ?2 AND sha256 = ?3");
    if (!select.bind(owner.user, owner.test, sha256).next()) return not_found("The image");
    return static_cast<std::size_t>(select.only<std::int64_t>());
}

std::vector<std::string> image_names(Connection& connection, const Owner& owner)
{
    Query select = connection.query(
        "SELECT sha256 FROM images WHERE images.user = ?1 AND test = ?2 ORDER BY sha256");
    return select.bind(owner.user, owner.test).texts();
}

std::vector<std::string> image_names(Connection& connection, std::int64_t session)
{
    Query select = connection.query(
        "SELECT images.sha256 FROM message_images INDEXED BY images_of_session"
        " CROSS JOIN images ON images.position = message_images.image"
        " WHERE message_images.session = ?1");
    const auto found = select.bind(session).texts();
    const std::set<std::string> names(found.begin(), found.end());  // Several messages may have it.
    return {names.begin(), names.end()};
}

void store_images(Connection& connection, const NewRun& run)
{
    const std::set<std::string> used = images_in_use(run);
    if (used.empty()) return;
    const Owner& owner = run.run.owner;
    connection.lock(Lock::images, {owner.user});
    for (const Image& image : run.images) {
        if (!used.contains(image.sha256)) continue;
        Query insert = connection.query(
            "INSERT INTO images (\"user\", test, sha256, media_type, bytes)"
            " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING");
        insert.bind(owner.user, owner.test, image.sha256, image.media_type, Blob{image.bytes});
        insert.run();
    }
}

Result<> link_images(Connection& connection, const Owner& owner, std::int64_t position,
                     const Message& message)
{
    if (message.images.empty()) return {};
    std::map<std::string, StoredImage> linked;
    std::string packed;
    for (const ImageRef& image : message.images) {
        auto found = linked.find(image.sha256);
        if (found == linked.end()) {
            auto stored = stored_image(connection, owner, image.sha256);
            if (!stored) return not_found("The image");
            Query insert = connection.query(
                "INSERT INTO message_images (message, image, session)"
                " VALUES (?1, ?2, (SELECT session FROM messages WHERE position = ?1))");
            insert.bind(position, stored->position).run();
            found = linked.emplace(image.sha256, std::move(*stored)).first;
        }
        pack_image(packed, image, found->second.media_type);
    }
    Query update = connection.query("UPDATE messages SET images = ?2 WHERE position = ?1");
    update.bind(position, Blob{packed}).run();
    return {};
}

SessionImages::SessionImages(Connection& connection, const KeptSession& session)
    : connection_(connection)
{
    Query select = connection.query(
        "SELECT image FROM message_images INDEXED BY images_of_session WHERE session = ?1");
    select.bind(session.position);
    while (select.next()) images_.insert(select.only<std::int64_t>());
    if (!images_.empty()) connection.lock(Lock::images, {session.session.owner.user});
}

void SessionImages::remove_unused() const
{
    for (const std::int64_t image : images_) {
        Query remove = connection_.query(
            "DELETE FROM images WHERE position = ?1 AND NOT EXISTS"
            " (SELECT 1 FROM message_images WHERE image = ?1)");
        remove.bind(image).run();
    }
}

}  // namespace parley::store::sql
