// What travels over /v1/api/status.
#pragma once

#include "base/field.hpp"
#include "base/field_notes.hpp"

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

    static constexpr wire::Noun noun{"ModelStatus", "How a model is."};
    static constexpr auto fields()
    {
        using namespace wire;
        using View = ModelStatusView;
        return std::tuple(
            field("id", &View::id, "What clients send as `model`.", example("scripted")),
            field("state", &View::state, "Whether it can answer now.", one_of("ready", "loading")),
            field("memory_bytes", &View::memory_bytes,
                  "Its weights, and conversations that it holds; null if it takes no memory of its "
                  "own, or is being loaded.",
                  example(402'653'184)));
    }
};

struct StorageStatusView {
    bool writable = true;
    std::int64_t database_bytes = 0;
    std::int64_t journal_bytes = 0;
    std::int64_t disk_free_bytes = 0;

    static constexpr wire::Noun noun{"StorageStatus", "How the disk is."};
    static constexpr auto fields()
    {
        using namespace wire;
        using View = StorageStatusView;
        return std::tuple(field("writable", &View::writable, "Whether the server can write."),
                          field("database_bytes", &View::database_bytes,
                                "The database, its log included.", example(1'048'576)),
                          field("journal_bytes", &View::journal_bytes,
                                "The events of runs that go on.", example(65'536)),
                          field("disk_free_bytes", &View::disk_free_bytes,
                                "Left on the disk of both.", example(10'737'418'240)));
    }
};

struct QueueStatusView {
    std::int64_t running = 0;
    std::int64_t queued = 0;

    static constexpr wire::Noun noun{"QueueStatus", "How busy the models are."};
    static constexpr auto fields()
    {
        using namespace wire;
        using View = QueueStatusView;
        return std::tuple(
            field("running", &View::running, "Runs that are being answered.", example(2)),
            field("queued", &View::queued, "Runs that wait for their turn.", example(0)));
    }
};

struct StatusView {
    std::string object = "status";
    std::string version;
    std::vector<ModelStatusView> models = {};
    std::int64_t memory_bytes = 0;
    StorageStatusView storage = {};
    QueueStatusView queue = {};

    static constexpr wire::Noun noun{"Status", "How the server is."};
    static constexpr auto fields()
    {
        using namespace wire;
        using View = StatusView;
        return std::tuple(
            field("object", &View::object, "Always `status`.", one_of("status")),
            field("version", &View::version, "Of the program.", example("0.2.0")),
            field("models", &View::models, "All models that this server offers."),
            field("memory_bytes", &View::memory_bytes, "What the whole process takes.",
                  example(536'870'912)),
            field("storage", &View::storage, "What is kept, and the room that is left."),
            field("queue", &View::queue, "Runs of all users."));
    }
};

}  // namespace parley::api
