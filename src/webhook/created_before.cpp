#include "webhook/created_before.hpp"

namespace parley::webhook {

bool is_refusal(const Error& error)
{
    switch (error.code) {
        case Errc::upstream_error:
        case Errc::invalid_output:
        case Errc::upstream_timeout:
        case Errc::provider_error:
        case Errc::overloaded:
        case Errc::model_unavailable:
        case Errc::storage_unavailable:
        case Errc::shutting_down:
        case Errc::internal:
        case Errc::lost_ownership:
            return false;
        default:
            return true;
    }
}

}  // namespace parley::webhook
