// The texts about webhooks, hooks, and the event log.
export const enWebhooks = {
  title: "Webhooks", lead: "Send events to a URL of yours, signed, with retries.",
  create: "New webhook", editTitle: "Edit webhook", none: "No webhooks yet.", noneHint: "A webhook tells another program when an answer is complete or an automation has run.",
  missing: "Webhook not found", missingLead: "It was deleted, or it belongs to another user.", back: "All webhooks",
  state: { active: "Active", disabled: "Disabled" } as Record<string, string>,
  disabledReason: { user: "Disabled by you", gone: "Disabled: the URL answered 410 (gone)", failures: "Disabled: nothing was delivered for 5 days" } as Record<string, string>,
  lastSuccess: "Last success", lastFailure: "Last failure", secret: "Secret", lastEvent: "Last event queued",
  secretMade: "Copy the secret now. It will not be shown again. Your program needs it to verify the signatures.",
  disable: "Disable", enable: "Enable", disabledNow: "Webhook disabled.", enabledNow: "Webhook enabled.",
  removeTitle: (url: string) => `Delete the webhook for ${url}?`, removeLead: "Deletes the webhook and its list of deliveries. Pending events are not sent.",
  test: "Send a test event", tested: "Test event queued.",

  // Form
  url: "URL", urlHint: "https, on a public address. The server posts each event to it.", description: "Description (optional)", events: "Events",
  payload: "Content", payloads: { thin: "The event alone", full: "The event with the object it is about" }, payloadHint: "With the object, texts of conversations leave the server.",
  ordered: "One at a time, strictly in order", orderedHint: "An event that fails delays those after it.",

  // Deliveries
  deliveries: "Deliveries", noDeliveries: "No deliveries yet.", filter: "Status", anyStatus: "All", attempts: (count: number) => (count === 1 ? "1 attempt" : `${count} attempts`),
  status: { pending: "Pending", succeeded: "Delivered", failed: "Failed" } as Record<string, string>,
  errors: {
    timeout: "No response in time", connection_refused: "Connection refused", tls: "TLS failed", name_not_found: "Host not found", address_refused: "Address not allowed", bad_response: "Invalid response",
  } as Record<string, string>,
  nextAttempt: (time: string) => `Next attempt: ${time}`, soon: "Being sent", took: (duration: string) => `${duration} ms`, answered: (status: number) => `HTTP ${status}`,
  response: "Response", redeliver: "Send again", redelivered: "Queued again.",
  replay: "Replay events", replayLead: "Sends events of the log again, for example after your program was down. They keep their ids.",
  replayAfter: "After event number", replayAfterHint: "0: from the oldest stored event.", replayUntil: "Up to event number", replayUntilHint: "Empty: up to the newest.", onlyFailed: "Only events that were not delivered", replayed: (count: string) => `${count} events queued.`,

  // Secrets of webhooks and hooks
  rotate: "New secret", rotateLead: "Creates a new secret. Replace the old one in your program before it stops working.", overlap: "The old secret",
  overlaps: { "0": "Expires at once", "3600": "Works for one hour", "86400": "Works for one day", "604800": "Works for 7 days" },

  // Hooks of automations
  hook: "Hook", hookAddress: "Address", hookToken: "Copy the token now. It will not be shown again.", hookSecret: "Copy the secret now. It will not be shown again.", oldSecret: (time: string) => `The previous secret works until ${time}.`,
  hookLead: { token: "Each call with the token starts one run.", standard_webhooks: "Each call signed as Standard Webhooks starts one run.", github: "Each event that GitHub sends starts one run." },
  verify: "Callers are verified by", verifies: { token: "A token", standard_webhooks: "A signature (Standard Webhooks)", github: "A signature (GitHub)" },
  verifyHint: "The address and the secret are shown after saving.", verifyChanged: "A change creates a new address and a new secret.",
  dedupe: "Key in the body (optional)", dedupeHint: "A JSON pointer such as /delivery/id. Calls with the same key start one run; header fields with a key come first, unless GitHub signs the call.",
  example: "Example", github: "In the repository: Settings, Webhooks, Add webhook. Payload URL: this address. Content type: application/json. Secret: the secret of this hook.",
  pointer: (name: string) => `JSON pointer to ${name}`, pointerHint: "For example /issue/title.",
  onlyAutomation: "Only of this automation", anyAutomation: "Any", onlySession: "Only of this conversation", anySession: "Any", chooseEvents: "Select at least one event.",
  ownEvents: "An automation does not react to its own events.",

  // Events
  log: "Events", logLead: "All events of your account, newest first.", logFilter: "Type", anyType: "All", noLog: "No events.", number: "Number", byAutomation: "by an automation",
  families: { "chat.session": "Conversations", "chat.run": "Answers", automation: "Automations", "automation.run": "Runs of automations", webhook: "Webhooks", token: "API tokens", login: "Logins" } as Record<string, string>,
  subjects: { "chat.session": "Conversation", "chat.run": "Answer", automation: "Automation", "automation.run": "Run", webhook: "Webhook", token: "API token", login: "Login" } as Record<string, string>,
  kinds: {
    created: "created", updated: "changed", deleted: "deleted", completed: "completed", failed: "failed", cancelled: "cancelled", interrupted: "interrupted", paused: "paused", resumed: "resumed", queued: "started",
    skipped: "skipped", missed: "missed", disabled: "disabled", revoked: "revoked", ended: "ended", "chat.run.created": "requested",
  } as Record<string, string>,
  allOf: (family: string) => `All of “${family}”`, happened: (subject: string, kind: string) => `${subject} ${kind}`, others: "Others", testEvent: "Test event",
  within: (text: string) => (/^API/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1)),
};
