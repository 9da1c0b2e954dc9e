// The contract tests that every journal must pass are in journal_contract.cpp. They are compiled
// once and linked into the tests of each room that names `journal` as its CONTRACT; a test file of
// that room defines the journal to test:
//
//   std::unique_ptr<JournalOnTrial> journal::journal_on_trial() { return std::make_unique<Mine>();
//   }
#pragma once

#include "journal/journal_for_tests.hpp"

#include <memory>

namespace parley::journal {

class JournalOnTrial {
public:
    virtual ~JournalOnTrial() = default;

    // Opens the same events each time, as after a restart of the process.
    virtual std::unique_ptr<Journal> open() = 0;
};

// Defined by each adapter's tests. An empty journal at each call.
std::unique_ptr<JournalOnTrial> journal_on_trial();

class JournalContract : public JournalTest {
protected:
    JournalContract() { reopen(); }
    ~JournalContract() override { journal.reset(); }

    void reopen()
    {
        journal.reset();
        journal = trial->open();
    }

    const std::unique_ptr<JournalOnTrial> trial = journal_on_trial();
};

}  // namespace parley::journal
