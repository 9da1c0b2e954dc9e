// Spans as OTLP/HTTP sends them, in its JSON encoding.
#pragma once

#include "tracing/tracing.hpp"

#include <span>
#include <string>

namespace parley::tracing::otlp {

// The program that records the spans.
struct Resource {
    std::string version;
    std::string instance;  // Tells servers apart.
};

std::string traces_json(const Resource& resource, std::span<const Span> spans);

}  // namespace parley::tracing::otlp
