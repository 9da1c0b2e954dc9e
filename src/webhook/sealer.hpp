// Encrypts the secrets of webhooks and hooks, so that a copy of the table is not enough to sign in
// the name of this server or of a sender.
#pragma once

#include "base/sealer.hpp"

namespace parley::webhook {

class Sealer : public parley::Sealer {
public:
    explicit Sealer(const Secret& key) : parley::Sealer(key, "parley webhook secrets") {}
};

}  // namespace parley::webhook
