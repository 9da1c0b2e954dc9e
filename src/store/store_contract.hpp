// The contract tests that every store must pass, a suite for each concept. A store's own test file
// says how to make one:
//
//   struct MakesMine {
//       std::unique_ptr<store::Store> open();  // The same data each time, where it is kept at all.
//       static constexpr bool keeps = true;    // Whether data outlive the object.
//   };
//   INSTANTIATE_STORE_CONTRACTS(Mine, MakesMine);
#pragma once

#include "store/accounts_contract.hpp"
#include "store/audit_contract.hpp"
#include "store/begin_run_contract.hpp"
#include "store/frames_contract.hpp"
#include "store/idempotency_contract.hpp"
#include "store/keys_contract.hpp"
#include "store/logins_contract.hpp"
#include "store/messages_contract.hpp"
#include "store/operators_contract.hpp"
#include "store/refresh_contract.hpp"
#include "store/runs_contract.hpp"
#include "store/session_lists_contract.hpp"
#include "store/sessions_contract.hpp"
#include "store/tokens_contract.hpp"

// In one place, so that no store leaves one out.
#define INSTANTIATE_STORE_CONTRACTS(Name, Maker)                       \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, AccountsContract, Maker);     \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, AuditContract, Maker);        \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, BeginRunContract, Maker);     \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, FramesContract, Maker);       \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, IdempotencyContract, Maker);  \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, KeysContract, Maker);         \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, LoginsContract, Maker);       \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, MessagesContract, Maker);     \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, OperatorsContract, Maker);    \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, RefreshContract, Maker);      \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, RunsContract, Maker);         \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, SessionListsContract, Maker); \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, SessionsContract, Maker);     \
    INSTANTIATE_TYPED_TEST_SUITE_P(Name, TokensContract, Maker)
