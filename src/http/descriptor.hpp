// A file descriptor that is closed unless another owner has taken it over.
#pragma once

#include <unistd.h>
#include <utility>

namespace parley::http {

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor()
    {
        if (number_ >= 0) ::close(number_);
    }
    int number() const { return number_; }
    void release() { number_ = -1; }

private:
    int number_;
};

}  // namespace parley::http
