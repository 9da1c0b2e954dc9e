// The step of the schema for images in messages.
#pragma once

namespace parley::store::sql {

// An image is stored once for each owner. `images` of a message has for each of its images three
// packed texts: the number of texts before it, its hash and its type. The same images are in
// `message_images`, by which an image is deleted with the last message that has it.
inline constexpr const char* schema_step_of_images = R"sql(
    ALTER TABLE messages ADD COLUMN images BLOB;
    CREATE TABLE images (
        position   INTEGER PRIMARY KEY AUTOINCREMENT,
        user       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        test       INTEGER NOT NULL CHECK (test IN (0, 1)),
        sha256     TEXT NOT NULL,
        media_type TEXT NOT NULL,
        bytes      BLOB NOT NULL,
        UNIQUE (user, test, sha256)
    ) STRICT;
    CREATE TABLE message_images (
        message INTEGER NOT NULL REFERENCES messages (position) ON DELETE CASCADE,
        image   INTEGER NOT NULL REFERENCES images (position) ON DELETE CASCADE,
        session INTEGER NOT NULL,
        PRIMARY KEY (message, image)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX messages_of_image ON message_images (image);
    CREATE INDEX images_of_session ON message_images (session);
)sql";

}  // namespace parley::store::sql
