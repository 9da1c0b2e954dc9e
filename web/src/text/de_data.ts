import type { enData } from "./en_data";

export const deData: typeof enData = {
  search: "Nachrichten durchsuchen", searchHint: "Wörter, \"eine Wortfolge\" oder Anfang*", searchLead: "Findet Nachrichten aller Unterhaltungen, die alle Wörter enthalten. Groß- und Kleinschreibung und Akzente spielen keine Rolle.",
  searchFor: (text: string) => `Nachrichten nach „${text}“ durchsuchen`, noHits: "Keine Nachrichten gefunden.", gone: "Die Nachricht wurde gelöscht.",
  hits: (count: number, more: boolean) => `${count}${more ? " oder mehr" : ""} ${count === 1 && !more ? "Nachricht" : "Nachrichten"} gefunden`,

  title: "Daten", lead: "Import, Export und automatisches Löschen Ihrer Unterhaltungen.",
  exportTitle: "Export", exportLead: "Alle Ihre Unterhaltungen mit allen Zweigen, Ihre Automatisierungen und Webhooks, ohne Geheimnisse: ein JSON-Objekt pro Zeile. Ein anderer Parley-Server kann es importieren.",
  exportAll: "Alles herunterladen", exporting: "Wird vorbereitet…",
  importTitle: "Import", importLead: "Unterhaltungen von ChatGPT (conversations.json oder das ZIP-Archiv), Open WebUI oder aus einem Export von Parley. Nichts wird doppelt importiert.",
  chooseFile: "Datei auswählen", importing: (done: number) => `Import läuft: bisher ${done} Unterhaltungen`, stopImport: "Abbrechen",
  imported: (count: number) => `${count} ${count === 1 ? "Unterhaltung" : "Unterhaltungen"} importiert`, knownBefore: (count: number) => `${count} schon früher importiert`, failed: (count: number) => `${count} fehlgeschlagen`,
  skipped: (count: number) => `${count} ${count === 1 ? "Nachricht" : "Nachrichten"} nicht vollständig importiert`, stopped: "Abgebrochen", untitled: "Ohne Titel",
  unknownFormat: "Diese Datei enthält keine Unterhaltungen in einem bekannten Format.", notReadable: "Die Datei ist beschädigt oder unvollständig.", notJson: "Kein gültiges JSON.", tooLarge: "Größer als 16 MB.",
  retentionTitle: "Automatisches Löschen", retentionLead: "Unterhaltungen ohne Aktivität werden nach dieser Zeit gelöscht. Unterhaltungen mit „Behalten“ bleiben.",
  retention: "Löschen nach", retentionDays: (days: number) => (days === 1 ? "1 Tag" : `${days} Tagen`), retentionNever: "Nie", keep: "Diese Unterhaltung behalten", keepHint: "Sie wird nicht automatisch gelöscht.",
};
