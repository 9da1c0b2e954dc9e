#include "reference/embedded.hpp"

#include "base/embed.hpp"

#include <array>

PARLEY_EMBED(parley_first_call, PARLEY_GUIDES "/first-call.md");
PARLEY_EMBED(parley_logging_in, PARLEY_GUIDES "/logging-in.md");
PARLEY_EMBED(parley_accounts, PARLEY_GUIDES "/accounts.md");
PARLEY_EMBED(parley_streaming, PARLEY_GUIDES "/streaming.md");
PARLEY_EMBED(parley_errors, PARLEY_GUIDES "/errors.md");
PARLEY_EMBED(parley_limits, PARLEY_GUIDES "/limits.md");
PARLEY_EMBED(parley_idempotency, PARLEY_GUIDES "/idempotency.md");
PARLEY_EMBED(parley_rehearsing, PARLEY_GUIDES "/rehearsing.md");
PARLEY_EMBED(parley_openai, PARLEY_GUIDES "/openai.md");
PARLEY_EMBED(parley_choosing_a_model, PARLEY_GUIDES "/choosing-a-model.md");
PARLEY_EMBED(parley_installing, PARLEY_GUIDES "/installing.md");
PARLEY_EMBED(parley_production, PARLEY_GUIDES "/production.md");
PARLEY_EMBED(parley_many_machines, PARLEY_GUIDES "/many-machines.md");
PARLEY_EMBED(parley_promises, PARLEY_GUIDES "/promises.md");
PARLEY_EMBED(parley_events, PARLEY_GUIDES "/events.md");
PARLEY_EMBED(parley_automations, PARLEY_GUIDES "/automations.md");
PARLEY_EMBED(parley_daily_digest, PARLEY_GUIDES "/daily-digest.md");
PARLEY_EMBED(parley_github_issues, PARLEY_GUIDES "/github-issues.md");
PARLEY_EMBED(parley_webhook_verification, PARLEY_GUIDES "/webhook-verification.md");
PARLEY_EMBED(parley_hooks, PARLEY_GUIDES "/hooks.md");
PARLEY_EMBED(parley_webhooks, PARLEY_GUIDES "/webhooks.md");
PARLEY_EMBED(parley_structured, PARLEY_GUIDES "/structured.md");
PARLEY_EMBED(parley_moving, PARLEY_GUIDES "/moving.md");
PARLEY_EMBED(parley_search, PARLEY_GUIDES "/search.md");
PARLEY_EMBED(parley_data, PARLEY_GUIDES "/data.md");
PARLEY_EMBED(parley_usage, PARLEY_GUIDES "/usage.md");
#ifdef PARLEY_SCALAR_FILE
PARLEY_EMBED(parley_scalar, PARLEY_SCALAR_FILE);
#endif

namespace parley::reference {

std::span<const Guide> guides()
{
    static const std::array all = {
        Guide{"first-call", PARLEY_EMBEDDED(parley_first_call)},
        Guide{"promises", PARLEY_EMBEDDED(parley_promises)},
        Guide{"logging-in", PARLEY_EMBEDDED(parley_logging_in)},
        Guide{"accounts", PARLEY_EMBEDDED(parley_accounts)},
        Guide{"streaming", PARLEY_EMBEDDED(parley_streaming)},
        Guide{"structured", PARLEY_EMBEDDED(parley_structured)},
        Guide{"events", PARLEY_EMBEDDED(parley_events)},
        Guide{"search", PARLEY_EMBEDDED(parley_search)},
        Guide{"moving", PARLEY_EMBEDDED(parley_moving)},
        Guide{"automations", PARLEY_EMBEDDED(parley_automations)},
        Guide{"daily-digest", PARLEY_EMBEDDED(parley_daily_digest)},
        Guide{"webhooks", PARLEY_EMBEDDED(parley_webhooks)},
        Guide{"webhook-verification", PARLEY_EMBEDDED(parley_webhook_verification)},
        Guide{"hooks", PARLEY_EMBEDDED(parley_hooks)},
        Guide{"github-issues", PARLEY_EMBEDDED(parley_github_issues)},
        Guide{"errors", PARLEY_EMBEDDED(parley_errors)},
        Guide{"limits", PARLEY_EMBEDDED(parley_limits)},
        Guide{"usage", PARLEY_EMBEDDED(parley_usage)},
        Guide{"idempotency", PARLEY_EMBEDDED(parley_idempotency)},
        Guide{"rehearsing", PARLEY_EMBEDDED(parley_rehearsing)},
        Guide{"openai", PARLEY_EMBEDDED(parley_openai)},
        Guide{"choosing-a-model", PARLEY_EMBEDDED(parley_choosing_a_model)},
        Guide{"installing", PARLEY_EMBEDDED(parley_installing)},
        Guide{"production", PARLEY_EMBEDDED(parley_production)},
        Guide{"many-machines", PARLEY_EMBEDDED(parley_many_machines)},
        Guide{"data", PARLEY_EMBEDDED(parley_data)},
    };
    return all;
}

std::string_view reference_script()
{
#ifdef PARLEY_SCALAR_FILE
    return PARLEY_EMBEDDED(parley_scalar);
#else
    return {};
#endif
}

}  // namespace parley::reference
