// Requests and responses of /v1/api/backups.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <cstdint>
#include <string>
#include <tuple>

namespace parley::api {

struct BackupView {
    std::string object = "backup";
    std::string file;
    std::int64_t bytes = 0;

    static constexpr fields::SchemaInfo schema_info{"Backup", "A copy of all data, on the server."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("object", &BackupView::object, "Always `backup`.", one_of("backup")),
            field("file", &BackupView::file, "Name of the file in the server's data directory.",
                  example("backup-2026-01-31T093000Z-aX3.db")),
            field("bytes", &BackupView::bytes, "Size of the file in bytes.", example(40960)));
    }
};

}  // namespace parley::api
