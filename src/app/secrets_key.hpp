// The key with which the server seals the secrets of webhooks, hooks and second factors.
#pragma once

#include "app/settings.hpp"
#include "base/secret.hpp"
#include "store/store.hpp"

namespace parley::app {

// From secrets.key_file, or from the store if that is not set. Fails with a message for the
// operator.
Result<Secret> secrets_key(const Settings& settings, store::Store& store);

}  // namespace parley::app
