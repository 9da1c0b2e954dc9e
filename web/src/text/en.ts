// Every text of the app. The other languages have the type of this one, so none can be forgotten.
import { enAccounts } from "./en_accounts";
import { enAutomations } from "./en_automations";
import { enData } from "./en_data";
import { enWebhooks } from "./en_webhooks";

const minutes = (seconds: number) => (seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`);

export const en = {
  language: "English",
  product: "Parley",
  loading: "Loading…",
  cancel: "Cancel", save: "Save", saved: "Saved", close: "Close", remove: "Delete", undo: "Undo", retry: "Try again",
  copy: "Copy", copied: "Copied", create: "Create", never: "Never",
  yes: "Yes", no: "No", search: "Search", loadMore: "Load more", menu: "Menu", done: "Done",
  table: "Table", codeBlock: (language: string) => (language ? `Code, ${language}` : "Code"),
  skip: "Skip to content",

  // Login, set-up, invitation
  logIn: "Log in", logOut: "Log out", username: "User name", password: "Password", displayName: "Display name",
  welcomeBack: "Welcome back", loginLead: "Log in to continue your conversations.",
  askForAccount: "No account yet, or password forgotten? Ask", needsSetup:
    "This server has no operator yet. To create the account, open the link that the server printed when it started. The link is also in the file setup-link in its data directory.",
  loginExpired: "Your login has expired. Log in again.",
  setupTitle: "Set up Parley", setupLead:
    "Create the operator account for this server. You can invite others afterwards.",
  setupButton: "Create operator", passwordHint: "At least 8 characters. Three or four unrelated words are a good choice.",
  showPassword: "Show", showPasswordOf: (field: string) => `Show: ${field}`,
  inviteTitle: "Welcome to Parley", inviteLead: "Choose a password to activate your account.",
  inviteButton: "Activate account", invitedAs: (name: string) => `Your user name is “${name}”. You need it to log in.`, reference: "API reference", differentServer: "Log in instead", haveAccount: "I already have an account",

  // Sessions
  chats: "Conversations", newChat: "New chat", searchChats: "Search conversations", noChats: "No conversations yet.",
  noChatsHint: "Your conversations will appear here.", allArchived: "All conversations are archived.", showArchived: "Show archived conversations", nothingFound: "No conversations match.", archived: "Archived",
  noArchived: "No archived conversations.", isArchived: "This conversation is archived.", backToChats: "Back to conversations", untitled: "Untitled", rename: "Rename", archive: "Archive", unarchive: "Unarchive",
  sessionActions: (title: string) => `Actions for “${title}”`, answering: "Answer in progress",
  deleted: (title: string) => `“${title}” deleted`, archivedNow: (title: string) => `“${title}” archived`, unarchivedNow: (title: string) => `“${title}” unarchived`, title: "Title",
  today: "Today", yesterday: "Yesterday", lastWeek: "Previous 7 days", lastMonth: "Previous 30 days", older: "Older",
  openSidebar: "Open sidebar", closeSidebar: "Close sidebar",
  exportMarkdown: "Export as Markdown", exportJson: "Export as JSON", you: "You", assistant: "Assistant",

  // Chat
  greeting: (name: string) => `Hello, ${name}.`, greetingLead: "What would you like to know?",
  placeholder: "Ask anything", message: "Message", send: "Send", stop: "Stop", stopping: "Stopping…",
  conversation: "Conversation", thinking: "Thinking…", queued: (place: number) => `Waiting in the queue: position ${place}`,
  answerComplete: "The answer is complete.", answerStopped: "The answer was stopped.", answerBegun: "The answer has started.",
  stoppedHere: "Stopped.", interruptedHere: "The answer was interrupted by a restart of the server.",
  tooLongHere: "The answer reached the maximum length.", failedHere: "The answer failed.",
  emptyAnswer: "The answer is empty.", askAgain: "Regenerate", edit: "Edit", editQuestion: "Edit the question",
  sendEdited: "Send", version: (at: number, of: number) => `${at} of ${of}`, previousVersion: "Previous version", nextVersion: "Next version",
  olderMessages: "Load earlier messages", toBottom: "Scroll to the newest message", showAll: "Show all", showLess: "Show less",
  sendingAgain: "No connection. Your question will be sent when the connection is back.", dropHere: "Drop text files here",
  dropAnyHere: "Drop images or text files here", attachAny: "Add an image or a text file", image: "Image", imageMissing: "This image cannot be loaded.",
  removeImage: (name: string) => `Remove ${name}`, imageUnusable: (name: string) => `“${name}” cannot be read, or does not fit beside the other images of the message.`,
  attach: "Add a text file", notText: (name: string) => `“${name}” is not a text file.`, tooLarge: (name: string) => `“${name}” is too large: a message holds 128 KB of text.`,
  messageTooLong: (kilobytes: number) => `The message is too long: ${kilobytes} of 128 KB.`,
  demo: "Demonstration model", demoScripted: "It repeats what you write.",
  demoSmall: "It is very small; its answers are often wrong.",
  demoWhat: "How to add a real model", demoHowPull: "To fetch a better model (1.1 GB):", demoHowFile: "To run another GGUF model on this server:",
  demoHowServer: "To use a model on an OpenAI-compatible server, add it to the settings file:", demoHowDefault: "Then set model.default to the name of the model and restart the server.", chatNotFound: "Conversation not found", chatNotFoundLead: "It was deleted, or it belongs to another user.",
  chatSettings: "Conversation settings", instructions: "Instructions", instructionsHint: "Sent to the model before every answer (system prompt).",
  model: "Model", modelDefault: "Default", chooseModel: (now: string) => `Model: ${now}`, sampling: "Sampling",
  temperature: "Temperature", temperatureHint: "0 is most deterministic; higher values vary more.", top_p: "Top-p", top_pHint: "Nucleus sampling: sample from this probability mass. 1: no limit.",
  top_k: "Top-k", top_kHint: "Sample from this many of the likeliest tokens. 0: no limit.", min_p: "Min-p", min_pHint: "Ignore tokens below this fraction of the likeliest token’s probability.",
  repeat_penalty: "Repeat penalty", repeat_penaltyHint: "Above 1: recent tokens are repeated less often.",
  presence_penalty: "Presence penalty", presence_penaltyHint: "Above 0: tokens already in the answer are repeated less often.",
  frequency_penalty: "Frequency penalty", frequency_penaltyHint: "Above 0: each use of a token makes its repetition less likely.", moreSampling: "More settings",
  max_output_tokens: "Maximum answer length (tokens)", max_output_tokensHint: "Empty: as long as the model allows.", seed: "Seed", seedHint: "The same seed and settings give the same answer.",
  byDefault: "Default", copyMessage: "Copy", copyFailed: "The browser did not allow copying. Select the text to copy it.",

  // Connection and errors
  offline: "You are offline. Answers continue on the server and appear when you are back online.",
  unreachable: "The server cannot be reached. Retrying…", requestId: "Request ID", copyRequestId: "Copy the request ID",
  unexpected: "Something went wrong in the app. Reload the page; nothing that was sent is lost.", reload: "Reload",
  limitHit: (seconds: number) => `Rate limit reached. You can continue in ${minutes(seconds)}.`, limitOver: "You can continue now.",
  notConnected: "The server did not respond. Check your connection and try again.",

  // Account
  settings: "Settings", account: "Account", profile: "Profile", appearance: "Appearance", theme: "Theme",
  themeSystem: "System", themeLight: "Light", themeDark: "Dark", languageLabel: "Language",
  changePassword: "Change password", currentPassword: "Current password", newPassword: "New password",
  passwordChanged: "Password changed. All other logins have ended.", role: "Role", member: "Member", operator: "Operator",
  limits: "Limits", limitsLead: "Requests that you can make within 60 seconds.", limitLeft: (left: number, of: number) => `${left} of ${of} left`,
  limitNext: (seconds: number) => `One more in ${minutes(seconds)}`, limitClass: { chat: "Questions and conversation lists", general: "All other requests", auth: "Logins and passwords", automation: "Automations", hook: "Hooks" } as Record<string, string>,
  tokens: "API tokens", tokensLead: "Programs sign in with an API token instead of your password.",
  newToken: "New token", tokenName: "Name", tokenNameHint: "For example “backup script”.", scopes: "Permissions",
  scope: { "chat:read": "Read conversations", "chat:write": "Ask questions and change conversations", "automation:read": "Read automations and their runs", "automation:write": "Create, change and run automations", account: "Manage your account and tokens", admin: "Manage the users of this server" } as Record<string, string>,
  expires: "Expires", inDays: (days: number) => `in ${days} days`, testToken: "Test token: separate conversations, answered by the scripted model",
  tokenMade: "Copy the token now. It will not be shown again.", revoke: "Revoke", revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeLead: "Programs that use this token are refused from now on.", noTokens: "No tokens yet.", lastUsed: "Last used", created: "Created",
  kind: { personal: "Personal", login: "Login", test: "Test", client: "Client" } as Record<string, string>,
  logins: "Logins", loginsLead: "Browsers and programs that are logged in as you.", thisDevice: "This browser", endLogin: "Log out", endLoginTitle: (name: string) => `Log out “${name}”?`,
  endLoginLead: "This browser or program must log in again.",

  // Operator
  users: "Users", usersLead: "People who can use this server.", addUser: "Add user", searchUsers: "Search users",
  inviteByLink: "Invitation link", withPassword: "Password set by you", howToAdd: "First login", displayNameOptional: "Display name (optional)",
  invitation: "Invitation", invitationLead: (name: string, until: string) => `Send this link to ${name} to choose a password. It works once, until ${until}.`,
  inviteAgain: "New invitation link", disable: "Disable", enable: "Enable", disabled: "Disabled", setPassword: "Set password", setPasswordLead: "Ends all logins and revokes all tokens of this user.",
  removeUser: (name: string) => `Delete ${name}?`, removeUserLead: "Deletes all conversations, answers, tokens and logins of this user. This cannot be undone.",
  removeUserTyped: (name: string) => `Type ${name} to confirm`, makeOperator: "Make operator", makeMember: "Make member", lastLogin: "Last login",
  userLimits: "Limits", userLimitsLead: "Requests per minute. Empty: the server’s default.", noUsers: "No users found.",
  audit: "Audit", auditLead: "Actions on this server, with user, time and address.", actor: "User", action: "Action", target: "Target", when: "Time", address: "Address", noEvents: "No matching events.",
  since: "From", before: "To", apply: "Apply", clear: "Clear",
  facts: {
    version: "Version", models: "Models", id: "Name", state: "State", memory_bytes: "Memory", storage: "Storage", writable: "Writable", database_bytes: "Database",
    journal_bytes: "Journal", disk_free_bytes: "Free disk space", queue: "Queue", running: "Running", queued: "Waiting",
  } as Record<string, string>,
  states: { ready: "Ready", loading: "Loading" } as Record<string, string>,
  status: "Server", statusLead: "Models, storage and queue.", refresh: "Refresh",
  notOffered: "This server does not offer this yet.",

  automations: enAutomations,
  webhooks: enWebhooks,
  accounts: enAccounts,
  data: enData,

  // Shortcuts
  shortcuts: "Keyboard shortcuts", shortcutsLead: "All functions are available by keyboard.",
  shortcutNames: {
    newChat: "New chat", search: "Search conversations", compose: "Write a message", send: "Send the message", newline: "New line",
    stop: "Stop the answer, or close a dialog", sidebar: "Show or hide the sidebar", undo: "Undo a deletion", copyLast: "Copy the last answer", help: "This page",
  },
};

export type Words = typeof en;
