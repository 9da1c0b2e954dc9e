// Every text of the app. The other languages have the type of this one, so none can be forgotten.
const minutes = (seconds: number) => (seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`);

export const en = {
  language: "English",
  product: "Parley",
  loading: "Loading…",
  cancel: "Cancel", save: "Save", saved: "Saved", close: "Close", remove: "Delete", undo: "Undo", retry: "Try again",
  copy: "Copy", copied: "Copied", create: "Create", never: "Never",
  yes: "Yes", no: "No", search: "Search", loadMore: "Load more", menu: "Menu", done: "Done",
  table: "Table", codeBlock: (language: string) => (language ? `Code, ${language}` : "Code"),
  skip: "Skip to the conversation",

  // Login, set-up, invitation
  logIn: "Log in", logOut: "Log out", username: "User name", password: "Password", displayName: "Name",
  welcomeBack: "Welcome back", loginLead: "Log in to go on with your conversations.",
  askForAccount: "No account yet? Ask", needsSetup:
    "This server has no operator yet. If that is you, open the link that the server printed when it started; it is also in the file setup-link of its data directory.",
  loginExpired: "Your login has ended. Please log in again.",
  setupTitle: "Set up Parley", setupLead:
    "Choose a name and a password. You will be the operator: you look after this server and invite others.",
  setupButton: "Create the account", passwordHint: "At least 8 characters. Several uncommon words are better than symbols.",
  showPassword: "Show the password", hidePassword: "Hide the password",
  inviteTitle: "Welcome to Parley", inviteLead: "You have been invited. Choose a password, and your account is ready.",
  inviteButton: "Start", reference: "Interface reference", differentServer: "Log in instead",

  // Sessions
  chats: "Conversations", newChat: "New chat", searchChats: "Search conversations", noChats: "No conversations yet.",
  noChatsHint: "What you ask appears here, and stays.", nothingFound: "Nothing found.", archived: "Archive",
  noArchived: "The archive is empty.", backToChats: "Back to conversations", untitled: "Untitled", rename: "Rename", archive: "Archive", unarchive: "Take out of the archive",
  sessionActions: (title: string) => `Actions for “${title}”`, answering: "Answer being written",
  deleted: (title: string) => `“${title}” deleted`, title: "Title",
  today: "Today", yesterday: "Yesterday", lastWeek: "Previous 7 days", lastMonth: "Previous 30 days", older: "Older",
  openSidebar: "Open the list of conversations", closeSidebar: "Close the list of conversations",
  exportMarkdown: "Export as Markdown", exportJson: "Export as JSON", you: "You", assistant: "Assistant",

  // Chat
  greeting: (name: string) => `Hello, ${name}.`, greetingLead: "What would you like to know?",
  placeholder: "Ask anything", message: "Message", send: "Send", stop: "Stop", stopping: "Stopping…",
  conversation: "Conversation", thinking: "Thinking…", queued: (place: number) => `Waiting for a free place: number ${place} in line`,
  answerComplete: "The answer is complete.", answerStopped: "The answer was stopped.", answerBegun: "The answer is being written.",
  stoppedHere: "Stopped.", interruptedHere: "The answer was interrupted by a restart of the server.",
  tooLongHere: "The answer reached its longest length.", failedHere: "The answer failed.",
  emptyAnswer: "The answer is empty.", askAgain: "Answer again", edit: "Edit", editQuestion: "Edit the question",
  sendEdited: "Send", version: (at: number, of: number) => `${at} of ${of}`, previousVersion: "Previous version", nextVersion: "Next version",
  olderMessages: "Load earlier messages", toBottom: "To the newest message", showAll: "Show all", showLess: "Show less",
  sendingAgain: "No connection. The question is sent as soon as there is one.", dropHere: "Drop text files here",
  attach: "Add a text file", notText: (name: string) => `“${name}” is not a text file.`, tooLarge: (name: string) => `“${name}” is too large: a message holds 128 KB of text.`,
  messageTooLong: (kilobytes: number) => `The message is too long: ${kilobytes} of 128 KB.`,
  demo: "Demonstration model", demoScripted: "It repeats what you write.",
  demoSmall: "It shows that all works; its answers are often wrong.",
  demoWhat: "How to add a real model", demoHowFile: "A model in a GGUF file is computed by this server:",
  demoHowServer: "A model on any server that speaks OpenAI’s interface is named in Parley’s settings:", demoHowDefault: "Then set model.default to its name and restart the server.", chatNotFound: "This conversation does not exist, or is not yours.",
  chatSettings: "Settings of this conversation", instructions: "Instructions", instructionsHint: "What the assistant is told before every answer.",
  model: "Model", modelDefault: "The server’s choice", sampling: "Style of answers",
  temperature: "Temperature", temperatureHint: "Low: predictable. High: inventive.", top_p: "Top-p", top_pHint: "Only the likeliest words that together have this probability are considered. 1: all.",
  top_k: "Top-k", top_kHint: "Only so many of the likeliest words are considered. 0: all.", min_p: "Min-p", min_pHint: "Words less likely than this share of the likeliest one are left out.",
  repeat_penalty: "Repeat penalty", repeat_penaltyHint: "Above 1: the last words come again less often.",
  presence_penalty: "Presence penalty", presence_penaltyHint: "Above 0: words that the answer already has come again less often.",
  frequency_penalty: "Frequency penalty", frequency_penaltyHint: "The same, and stronger with each time that a word was used.", moreSampling: "More settings",
  max_output_tokens: "Longest answer (tokens)", max_output_tokensHint: "Empty: as long as the model allows.", seed: "Seed", seedHint: "The same seed gives the same answer again.",
  byDefault: "Default", copyMessage: "Copy", copyFailed: "Copying was refused by the browser.",

  // Connection and errors
  offline: "You are offline. Answers go on at the server and appear when you are back.",
  unreachable: "The server cannot be reached. Trying again…", requestId: "Request", copyRequestId: "Copy the request id",
  unexpected: "Something went wrong in the app. Reload the page; nothing that was sent is lost.", reload: "Reload",
  limitHit: (seconds: number) => `You have reached your limit. You can go on in ${minutes(seconds)}.`, limitOver: "You can go on now.",
  notConnected: "The server gave no answer. Check your connection and try again.",

  // Account
  settings: "Settings", account: "Account", profile: "Profile", appearance: "Appearance", theme: "Theme",
  themeSystem: "As the system", themeLight: "Light", themeDark: "Dark", languageLabel: "Language",
  changePassword: "Change password", currentPassword: "Current password", newPassword: "New password",
  passwordChanged: "Password changed. All other logins have ended.", role: "Role", member: "Member", operator: "Operator",
  limits: "Limits", limitsLead: "How many requests you can make, over any 60 seconds.", limitLeft: (left: number, of: number) => `${left} of ${of} left`,
  limitNext: (seconds: number) => `One more in ${minutes(seconds)}`, limitClass: { chat: "Questions and lists of conversations", general: "Everything else", auth: "Logins and passwords", automation: "Automations", hook: "Hooks" } as Record<string, string>,
  tokens: "API tokens", tokensLead: "Programs use a token of yours in place of your password. Each is shown once.",
  newToken: "New token", tokenName: "Name", tokenNameHint: "What it is for, such as “backup script”.", scopes: "It may",
  scope: { "chat:read": "read conversations", "chat:write": "ask and change conversations", account: "manage your account and tokens", admin: "manage users of this server" } as Record<string, string>,
  expires: "Expires", inDays: (days: number) => `in ${days} days`, testToken: "For tests: its conversations are kept apart from yours, and the scripted model answers them",
  tokenMade: "Copy the token now: it is not shown again.", revoke: "Revoke", revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeLead: "Programs that use it are refused at once.", noTokens: "You have no tokens.", lastUsed: "Last used", created: "Created",
  kind: { personal: "Personal", login: "Login", test: "Test", client: "Client" } as Record<string, string>,
  logins: "Logins", loginsLead: "Browsers and programs that are logged in as you.", thisDevice: "This browser", endLogin: "End", endLoginTitle: (name: string) => `End the login “${name}”?`,
  endLoginLead: "It has to log in again.",

  // Operator
  users: "Users", usersLead: "The people who may use this server.", addUser: "Add a user", searchUsers: "Search users",
  inviteByLink: "By an invitation link", withPassword: "With a password", howToAdd: "How they get in",
  invitation: "Invitation", invitationLead: (until: string) => `Send this link to the new user, who chooses a password with it. It works once, until ${until}.`,
  inviteAgain: "New invitation link", disable: "Disable", enable: "Enable", disabled: "Disabled", setPassword: "Set a password",
  removeUser: (name: string) => `Delete ${name}?`, removeUserLead: "All conversations, answers, tokens and logins of this user are deleted, too. This cannot be undone.",
  removeUserTyped: (name: string) => `Type ${name} to confirm`, makeOperator: "Make operator", makeMember: "Make member", lastLogin: "Last login",
  userLimits: "Limits", userLimitsLead: "Requests per minute. Empty: the server’s.", noUsers: "No users found.",
  audit: "Audit", auditLead: "Who did what, and from where.", actor: "By", action: "Action", target: "On", when: "When", address: "Address", noEvents: "Nothing was recorded that fits.",
  since: "From", before: "Until", apply: "Apply", clear: "Clear",
  facts: {
    version: "Version", models: "Models", id: "Name", state: "State", memory_bytes: "Memory", storage: "Storage", writable: "Writable", database_bytes: "Database",
    journal_bytes: "Journal", disk_free_bytes: "Free disk space", queue: "Queue", running: "Running", queued: "Waiting",
  } as Record<string, string>,
  states: { ready: "Ready", loading: "Loading" } as Record<string, string>,
  status: "Server", statusLead: "Models, storage and queue at a glance.", refresh: "Refresh",
  notOffered: "This server does not offer this yet.",

  // Shortcuts
  shortcuts: "Keyboard shortcuts", shortcutsLead: "Everything can be reached by keyboard.",
  shortcutNames: {
    newChat: "New chat", search: "Search conversations", compose: "Write a message", send: "Send the message", newline: "New line",
    stop: "Stop the answer, or close what is open", sidebar: "Show or hide the list", undo: "Undo a deletion", copyLast: "Copy the last answer", help: "This page",
  },
};

export type Words = typeof en;
