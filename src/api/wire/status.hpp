// Requests and responses of /v1/api/status.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

struct ModelStatusView {
    std::string id;
    std::string state;
    std::optional<std::int64_t> memory_bytes = {};

    static constexpr fields::SchemaInfo schema_info{"ModelStatus", "The state of a model."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = ModelStatusView;
        return std::tuple(
            field("id", &View::id, "The name for clients.", example("scripted")),
            field("state", &View::state, "Whether it can answer now.", one_of("ready", "loading")),
            field("memory_bytes", &View::memory_bytes,
                  "Memory of its weights and conversations. Null if the model uses no memory of "
                  "this server, or is loading.",
                  example(402'653'184)));
    }
};

struct StorageStatusView {
    bool writable = true;
    std::int64_t database_bytes = 0;
    std::int64_t journal_bytes = 0;
    std::int64_t disk_free_bytes = 0;

    static constexpr fields::SchemaInfo schema_info{"StorageStatus", "The state of the storage."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = StorageStatusView;
        return std::tuple(
            field("writable", &View::writable, "Whether the server can write."),
            field("database_bytes", &View::database_bytes,
                  "Size of the database, its log included.", example(1'048'576)),
            field("journal_bytes", &View::journal_bytes,
                  "Size of the journal, which holds the events of active runs.", example(65'536)),
            field("disk_free_bytes", &View::disk_free_bytes, "Free disk space.",
                  example(10'737'418'240)));
    }
};

struct QueueStatusView {
    std::int64_t running = 0;
    std::int64_t queued = 0;

    static constexpr fields::SchemaInfo schema_info{"QueueStatus", "The load of the models."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = QueueStatusView;
        return std::tuple(field("running", &View::running, "Running runs.", example(2)),
                          field("queued", &View::queued, "Queued runs.", example(0)));
    }
};

struct StatusView {
    std::string object = "status";
    std::string version;
    std::vector<ModelStatusView> models = {};
    std::int64_t memory_bytes = 0;
    StorageStatusView storage = {};
    QueueStatusView queue = {};

    static constexpr fields::SchemaInfo schema_info{"Status", "The state of the server."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = StatusView;
        return std::tuple(
            field("object", &View::object, "Always `status`.", one_of("status")),
            field("version", &View::version, "Version of the program.", example("0.2.0")),
            field("models", &View::models, "The models of this server."),
            field("memory_bytes", &View::memory_bytes, "Memory of the whole process.",
                  example(536'870'912)),
            field("storage", &View::storage, "Stored data and free space."),
            field("queue", &View::queue, "Runs of all users."));
    }
};

}  // namespace parley::api
