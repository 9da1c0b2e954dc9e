// Messages of chats.
#pragma once

#include "store/messages.hpp"
#include "store/sql/jobs.hpp"

namespace parley::store::sql {

class SqlMessages final : public Messages {
public:
    explicit SqlMessages(JobQueue& reads) : reads_(reads) {}

    Task<Result<PlacedMessage>> find_message(Owner owner, std::string id) override;
    Task<Result<BranchPage>> list_branch(Owner owner, std::string session,
                                         std::optional<std::string> leaf, bool ascending,
                                         std::optional<Position> after, std::size_t limit) override;
    Task<Result<BranchPage>> list_ancestors(Owner owner, std::string session,
                                            std::optional<std::string> leaf,
                                            std::optional<Position> after,
                                            std::size_t limit) override;
    Task<Result<std::string>> newest_below(Owner owner, std::string session,
                                           std::string message) override;
    Task<Result<Image>> find_image(Owner owner, std::string sha256) override;
    Task<Result<std::size_t>> image_size(Owner owner, std::string sha256) override;

private:
    JobQueue& reads_;
};

}  // namespace parley::store::sql
