// The contract tests that every journal must pass lie in journal_contract.cpp. They are compiled
// once and linked into the tests of each room that names `journal` as its CONTRACT; that room says,
// in a test file of its own, which journal is tried:
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

    // The same events each time, as a process that starts again finds them.
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
