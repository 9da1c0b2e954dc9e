import type { enWebhooks } from "./en_webhooks";

export const deWebhooks: typeof enWebhooks = {
  title: "Webhooks", lead: "Webhooks senden Ereignisse an Ihre URL, signiert und mit Wiederholungen.",
  create: "Neuer Webhook", editTitle: "Webhook bearbeiten", none: "Noch keine Webhooks.", noneHint: "Ein Webhook meldet einem anderen Programm, dass eine Antwort vollständig ist oder eine Automatisierung gelaufen ist.",
  missing: "Webhook nicht gefunden", missingLead: "Er wurde gelöscht oder gehört einem anderen Benutzer.", back: "Alle Webhooks",
  state: { active: "Aktiv", disabled: "Abgeschaltet" },
  disabledReason: { user: "Von Ihnen abgeschaltet", gone: "Abgeschaltet: Die URL hat mit 410 geantwortet", failures: "Abgeschaltet: 5 Tage lang wurde nichts zugestellt" },
  lastSuccess: "Letzter Erfolg", lastFailure: "Letzter Fehler", secret: "Geheimnis", lastEvent: "Letztes eingereihtes Ereignis",
  secretMade: "Kopieren Sie das Geheimnis jetzt. Es wird nicht noch einmal gezeigt. Ihr Programm prüft damit die Signaturen.",
  disable: "Abschalten", enable: "Einschalten", disabledNow: "Webhook abgeschaltet.", enabledNow: "Webhook eingeschaltet.",
  removeTitle: (url) => `Den Webhook für ${url} löschen?`, removeLead: "Löscht den Webhook und die Liste seiner Zustellungen. Offene Ereignisse werden nicht mehr gesendet.",
  test: "Testereignis senden", tested: "Testereignis eingereiht.",

  url: "URL", urlHint: "https, an einer öffentlichen Adresse. Der Server sendet jedes Ereignis dorthin (POST).", description: "Beschreibung (optional)", events: "Ereignisse",
  payload: "Inhalt", payloads: { thin: "Nur das Ereignis", full: "Das Ereignis mit dem Objekt, um das es geht" }, payloadHint: "Mit dem Objekt verlassen Texte von Unterhaltungen den Server.",
  ordered: "Einzeln und streng der Reihe nach", orderedHint: "Ein Ereignis, das scheitert, hält die folgenden auf.",

  deliveries: "Zustellungen", noDeliveries: "Noch keine Zustellungen.", filter: "Status", anyStatus: "Alle", attempts: (count) => (count === 1 ? "1 Versuch" : `${count} Versuche`),
  status: { pending: "Offen", succeeded: "Zugestellt", failed: "Fehlgeschlagen" },
  errors: {
    timeout: "Zeitüberschreitung", connection_refused: "Verbindung abgelehnt", tls: "TLS fehlgeschlagen", name_not_found: "Host nicht gefunden", address_refused: "Adresse nicht erlaubt", bad_response: "Ungültige Antwort",
  },
  nextAttempt: (time) => `Nächster Versuch: ${time}`, soon: "Wird gesendet", took: (duration) => `${duration} ms`, answered: (status) => `HTTP ${status}`,
  response: "Antwort", redeliver: "Noch einmal senden", redelivered: "Noch einmal eingereiht.",
  replay: "Ereignisse nachholen", replayLead: "Sendet Ereignisse des Protokolls noch einmal, zum Beispiel nach einem Ausfall Ihres Programms. Sie behalten ihre IDs.",
  replayAfter: "Nach Ereignis Nummer", replayAfterHint: "0: ab dem ältesten gespeicherten.", replayUntil: "Bis Ereignis Nummer", replayUntilHint: "Leer: bis zum neuesten.", onlyFailed: "Nur nicht zugestellte Ereignisse", replayed: (count) => `${count} Ereignisse eingereiht.`,

  rotate: "Neues Geheimnis", rotateLead: "Erzeugt ein neues Geheimnis. Ersetzen Sie das alte in Ihrem Programm, solange es noch gilt.", overlap: "Das alte Geheimnis",
  overlaps: { "0": "Läuft sofort ab", "3600": "Gilt noch eine Stunde", "86400": "Gilt noch einen Tag", "604800": "Gilt noch 7 Tage" },

  hook: "Hook", hookAddress: "Adresse", hookToken: "Kopieren Sie das Token jetzt. Es wird nicht noch einmal gezeigt.", hookSecret: "Kopieren Sie das Geheimnis jetzt. Es wird nicht noch einmal gezeigt.", oldSecret: (time) => `Das vorige Geheimnis gilt bis ${time}.`,
  hookLead: { token: "Jeder Aufruf mit dem Token startet einen Lauf.", standard_webhooks: "Jeder nach Standard Webhooks signierte Aufruf startet einen Lauf.", github: "Jedes Ereignis, das GitHub sendet, startet einen Lauf." },
  verify: "Aufrufer werden geprüft durch", verifies: { token: "Ein Token", standard_webhooks: "Eine Signatur (Standard Webhooks)", github: "Eine Signatur (GitHub)" },
  verifyHint: "Adresse und Geheimnis werden nach dem Speichern gezeigt.", verifyChanged: "Eine Änderung erzeugt eine neue Adresse und ein neues Geheimnis.",
  dedupe: "Schlüssel im Inhalt (optional)", dedupeHint: "Ein JSON-Pointer wie /delivery/id. Aufrufe mit demselben Schlüssel starten einen Lauf; Schlüssel in Kopfzeilen gehen vor, außer wenn GitHub den Aufruf signiert.",
  example: "Beispiel", github: "Im Repository: Settings, Webhooks, Add webhook. Payload URL: diese Adresse. Content type: application/json. Secret: das Geheimnis dieses Hooks.",
  pointer: (name) => `JSON-Pointer auf ${name}`, pointerHint: "Zum Beispiel /issue/title.",
  onlyAutomation: "Nur von dieser Automatisierung", anyAutomation: "Beliebig", onlySession: "Nur von dieser Unterhaltung", anySession: "Beliebig", chooseEvents: "Wählen Sie mindestens ein Ereignis.",
  ownEvents: "Auf ihre eigenen Ereignisse reagiert eine Automatisierung nicht.",

  log: "Ereignisse", logLead: "Alles, was in Ihrem Konto geschehen ist, das Neueste zuerst.", logFilter: "Art", anyType: "Alle", noLog: "Keine Ereignisse.", number: "Nummer", byAutomation: "durch eine Automatisierung",
  families: { "chat.session": "Unterhaltungen", "chat.run": "Antworten", automation: "Automatisierungen", "automation.run": "Läufe von Automatisierungen", webhook: "Webhooks", token: "API-Token", login: "Anmeldungen" },
  subjects: { "chat.session": "Unterhaltung", "chat.run": "Antwort", automation: "Automatisierung", "automation.run": "Lauf", webhook: "Webhook", token: "API-Token", login: "Anmeldung" },
  kinds: {
    created: "angelegt", updated: "geändert", deleted: "gelöscht", completed: "abgeschlossen", failed: "fehlgeschlagen", cancelled: "abgebrochen", interrupted: "unterbrochen", paused: "pausiert", resumed: "fortgesetzt", queued: "gestartet",
    skipped: "übersprungen", missed: "verpasst", disabled: "abgeschaltet", revoked: "widerrufen", ended: "beendet", "chat.run.created": "angefordert",
  },
  allOf: (family) => `Alle „${family}“`, happened: (subject, kind) => `${subject} ${kind}`, others: "Weitere", testEvent: "Testereignis", within: (text) => text,
};
