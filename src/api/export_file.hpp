// A file without a name that holds an export: it is written at once, so that it is of one moment,
// and sent as fast as the client reads. It is gone with its last use, also after a crash.
//
// Threads: one at a time.
#pragma once

#include "api/backups.hpp"
#include "automation/automations.hpp"
#include "base/error.hpp"
#include "store/moving.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace parley::api {

class ExportFile final : public store::ExportSink {
public:
    // Fails with storage_unavailable.
    static Result<std::shared_ptr<ExportFile>> create(const BackupFolder& folder,
                                                      const automation::Automations& automations,
                                                      bool with_automations);
    ~ExportFile() override;
    ExportFile(const ExportFile&) = delete;
    ExportFile& operator=(const ExportFile&) = delete;

    void begin() override;
    void user(const store::User& user) override;
    void session(const store::Session& session) override;
    void message(const store::Message& message) override;
    void image(const store::Image& image) override;
    void automation(const store::Automation& automation) override;
    void webhook(const store::Webhook& webhook) override;
    bool is_full() const override { return failed_; }

    // After the last object. Fails with storage_unavailable if the disk is nearly full.
    Result<> finish();
    // The next bytes; empty at the end. Fails with storage_unavailable.
    Result<std::string> read();

private:
    ExportFile(int descriptor, std::uint64_t min_free_bytes,
               const automation::Automations& automations, bool with_automations)
        : descriptor_(descriptor),
          min_free_bytes_(min_free_bytes),
          automations_(automations),
          with_automations_(with_automations)
    {
    }

    void add_line(std::string line);
    void flush();
    bool leaves_room() const;

    const int descriptor_;
    const std::uint64_t min_free_bytes_;
    const automation::Automations& automations_;
    const bool with_automations_;
    std::string buffer_;
    std::uint64_t read_to_ = 0;
    bool failed_ = false;
};

}  // namespace parley::api
