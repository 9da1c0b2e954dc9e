// The texts about search, import, export and retention.
export const enData = {
  // Search
  search: "Search messages", searchHint: "Words, \"a phrase\" or begin*", searchLead: "Finds messages in all conversations that contain all words. Case and accents do not matter.",
  searchFor: (text: string) => `Search messages for “${text}”`, noHits: "No messages found.", gone: "The message was deleted.",
  hits: (count: number, more: boolean) => `${count}${more ? " or more" : ""} ${count === 1 && !more ? "message" : "messages"} found`,

  // Data
  title: "Data", lead: "Import, export and automatic deletion of your conversations.",
  exportTitle: "Export", exportLead: "All of your conversations with all branches, your automations and webhooks, without secrets: one JSON object per line. Another Parley server can import it.",
  exportAll: "Download everything", exporting: "Preparing…",
  importTitle: "Import", importLead: "Conversations of ChatGPT (conversations.json or the ZIP archive), Open WebUI, or an export of Parley. Nothing is imported twice.",
  chooseFile: "Choose a file", importing: (done: number) => `Importing: ${done} conversations so far`, stopImport: "Stop",
  imported: (count: number) => `${count} ${count === 1 ? "conversation" : "conversations"} imported`, knownBefore: (count: number) => `${count} imported before`, failed: (count: number) => `${count} failed`,
  skipped: (count: number) => `${count} ${count === 1 ? "message" : "messages"} not fully imported`, stopped: "Stopped", untitled: "Untitled",
  unknownFormat: "This file has no conversations of a known format.", notReadable: "The file is damaged or not complete.", notJson: "It is not valid JSON.", tooLarge: "It has more than 16 MB.",
  retentionTitle: "Automatic deletion", retentionLead: "Conversations without activity are deleted after this time. Conversations that are marked “Keep” stay.",
  retention: "Delete after", retentionDays: (days: number) => (days === 1 ? "1 day" : `${days} days`), retentionNever: "Never", keep: "Keep this conversation", keepHint: "It is not deleted automatically.",
};
