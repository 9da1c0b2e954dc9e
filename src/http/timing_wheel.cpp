#include "http/timing_wheel.hpp"

namespace parley::http {

void Deadline::arm(TimingWheel& wheel, std::chrono::milliseconds wait)
{
    disarm();
    due_ = wheel.ticks_until(wheel.clock_.steady() + wait) + 1;  // Rounded up: never early.
    enter(wheel.slots_[due_ % TimingWheel::slot_count]);
}

void Deadline::enter(Deadline& ring)
{
    next_ = &ring;
    previous_ = ring.previous_;
    previous_->next_ = this;
    ring.previous_ = this;
}

void Deadline::disarm()
{
    if (!next_) return;
    next_->previous_ = previous_;
    previous_->next_ = next_;
    next_ = previous_ = nullptr;
}

TimingWheel::Slot::Slot() { next_ = previous_ = this; }

// Deadlines may outlive the wheel, so they are unlinked now.
TimingWheel::Slot::~Slot()
{
    while (next_ != this) next_->disarm();
    next_ = previous_ = nullptr;
}

TimingWheel::TimingWheel(const Clock& clock) : clock_(clock), start_(clock.steady()) {}

std::uint64_t TimingWheel::ticks_until(SteadyPoint time) const
{
    return static_cast<std::uint64_t>((time - start_) / tick);
}

void TimingWheel::advance()
{
    const std::uint64_t target = ticks_until(clock_.steady());
    while (turned_ < target) {
        ++turned_;
        Slot& slot = slots_[turned_ % slot_count];
        // Moves due deadlines out of the slot first: one that expires may arm or destroy any other.
        Slot due;
        for (Deadline* each = slot.next_; each != &slot;) {
            Deadline& deadline = *each;
            each = each->next_;
            if (deadline.due_ > turned_) continue;
            deadline.disarm();
            deadline.enter(due);
        }
        while (due.next_ != &due) {
            Deadline& deadline = *due.next_;
            deadline.disarm();
            deadline.expired();
        }
    }
}

}  // namespace parley::http
