import type { enAutomations } from "./en_automations";

const listed = (words: string[]) => new Intl.ListFormat("de", { type: "conjunction" }).format(words);
const DAY_NAMES = ["sonntags", "montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags"];
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const deAutomations: typeof enAutomations = {
  title: "Automatisierungen", lead: "Fragen, die zu festen Zeiten, nach Ereignissen, durch andere Programme oder von Ihnen gestartet werden.",
  create: "Neue Automatisierung", none: "Noch keine Automatisierungen.", noneHint: "Eine Automatisierung stellt jeden Morgen dieselbe Frage, oder wenn Sie sie ausführen.",
  allRuns: "Läufe", runsLead: "Alle Läufe aller Automatisierungen, neueste zuerst.", missing: "Automatisierung nicht gefunden", missingLead: "Sie wurde gelöscht oder gehört einem anderen Benutzer.",
  back: "Alle Automatisierungen", edit: "Bearbeiten", editTitle: "Automatisierung bearbeiten", runNow: "Jetzt ausführen", pause: "Pausieren", resume: "Fortsetzen", actions: (name) => `Aktionen für „${name}“`,
  removeTitle: (name) => `„${name}“ löschen?`, removeLead: "Löscht die Automatisierung und die Liste ihrer Läufe und bricht laufende ab. Unterhaltungen bleiben.",
  started: "Lauf gestartet.", cancel: "Lauf abbrechen", retry: "Erneut versuchen", openChat: "Unterhaltung öffnen", runTitle: (name) => `„${name}“ ausführen`,
  state: { active: "Aktiv", paused: "Pausiert", ended: "Beendet" },
  pauseReason: { user: "Von Ihnen pausiert", failures: "Nach wiederholten Fehlern pausiert", time_zone: "Pausiert: Die Zeitzone ist nicht mehr bekannt" },
  next: (time) => `Nächster Termin: ${time}`, nextTimes: "Nächste Termine",
  byHand: "Nur von Hand", byHook: "Wenn ihr Hook aufgerufen wird", byEvent: (events) => `Nach einem Ereignis: ${events}`, once: (time) => `Einmal: ${time}`, endedText: "Keine weiteren Termine", failures: (count) => (count === 1 ? "Der letzte Lauf ist fehlgeschlagen." : `Die letzten ${count} Läufe sind fehlgeschlagen.`),

  runs: "Läufe", noRuns: "Noch keine Läufe.", filter: "Status", anyStatus: "Alle", message: "Gesendete Nachricht", attempts: (count) => `${count} Versuche`,
  status: {
    queued: "Wartet", running: "Läuft", waiting: "Wartet auf den nächsten Versuch", completed: "Abgeschlossen", failed: "Fehlgeschlagen", cancelled: "Abgebrochen", skipped: "Übersprungen", missed: "Verpasst",
  },
  skipped: {
    overlap: "Ein früherer Lauf war noch nicht beendet.", queue_full: "Zu viele Läufe haben gewartet.", budget: "Das Token-Budget des Tages war aufgebraucht.", paused: "Die Automatisierung war pausiert.",
    loop: "Die Kette von Automatisierungen war zu lang.",
  },
  missedMany: (count) => `${count} Termine sind vergangen, während der Server nicht lief.`, missedOne: "Der Server lief zu dieser Zeit nicht.",
  trigger: { manual: "von Hand gestartet", schedule: "nach Zeitplan", hook: "durch ihren Hook", event: "nach einem Ereignis" }, nextAttempt: (time) => `Nächster Versuch: ${time}`,

  name: "Name", messageLabel: "Nachricht", messageHint: "{{name}} steht für einen Wert, der beim Ausführen angegeben wird. Immer verfügbar: {{run.local_date}}, {{run.local_time}}, {{automation.name}}.",
  variables: "Variablen", variableDefault: (name) => `Vorgabe für ${name}`, variableRequired: (name) => `${name} ist erforderlich`, noDefault: "Keine Vorgabe",
  scheduleNeedsDefault: "Läufe nach Zeitplan verwenden die Vorgaben: Sie schlagen fehl, wenn eine erforderliche Variable keine hat.",
  when: "Wann", starts: "Start", kindNone: "Nur von Hand", kindCron: "Nach Zeitplan", kindAt: "Einmal", kindHook: "Wenn ein anderes Programm den Hook aufruft", kindEvent: "Nach einem Ereignis", repeat: "Wiederholung",
  repeats: { daily: "Jeden Tag", weekdays: "Montag bis Freitag", weekly: "An bestimmten Wochentagen", hours: "Alle paar Stunden", minutes: "Alle paar Minuten", month: "Monatlich", cron: "Cron-Ausdruck" },
  time: "Uhrzeit", days: "Tage", everyWeeks: "Alle … Wochen", everyHours: "Stunden zwischen den Läufen", everyMinutes: "Minuten zwischen den Läufen", minuteOfHour: "Minute der Stunde", dayOfMonth: "Tag des Monats", lastDay: "Letzter Tag",
  cron: "Cron-Ausdruck", cronHint: "Minute, Stunde, Tag des Monats, Monat, Wochentag. Beispiel: 0 9 * * MON-FRI", at: "Datum und Uhrzeit", zone: "Zeitzone", zoneHint: "Ein Name wie Europe/Berlin.",
  preview: "Vorschau", previewEmpty: "Noch kein Termin: Der Zeitplan ist unvollständig.", previewHand: "Fragt nur, wenn Sie sie ausführen.", incomplete: "Der Zeitplan ist unvollständig.",
  moved: "durch die Zeitumstellung verschoben", firstOfTwo: "der erste von zweien wegen der Zeitumstellung", tokens: (count) => `${count} Eingabe-Token`, asSent: "So würde die Nachricht gesendet",
  session: "Unterhaltung", uses: "Verwendet", sessionNew: "Eine neue Unterhaltung für jeden Lauf", sessionContinue: "Immer dieselbe Unterhaltung", keep: "Unterhaltungen behalten", keepHint: "Ältere dieser Automatisierung werden gelöscht. Leer: Alle werden behalten.",
  continueIn: "Fortsetzen in", continueFirst: "Eine neue, die der erste Lauf anlegt",
  overlap: "Wenn ein früherer Lauf noch nicht beendet ist", overlaps: { skip: "Diesen Lauf überspringen", queue: "Auf ihn warten", cancel: "Den früheren abbrechen", allow: "Beide ausführen" },
  catchUp: "Verpasste Termine, während der Server nicht lief", catchUps: { none: "Nicht nachholen", latest: "Den letzten nachholen", all: "Alle nachholen (höchstens 100)" },
  attemptsLabel: "Versuche", attemptsHint: "Wenn das Modell oder der Server versagt. 1: keine Wiederholung.", backoff: "Sekunden vor dem zweiten Versuch", backoffHint: "Vor jedem weiteren Versuch doppelt so lang.",
  more: "Weitere Einstellungen", instructionsHint: "Wird dem Modell vor der Nachricht gesendet (Systemprompt). Ohne Variablen.", timeout: "Zeitlimit eines Versuchs (Sekunden)",
  pauseAfter: "Pausieren nach Fehlern in Folge", pauseAfterHint: "Leer: nie.", budget: "Ausgabe-Token pro Tag", budgetHint: "Leer: unbegrenzt. Braucht eine maximale Antwortlänge.",

  words: {
    minutes: (every) => (every === 1 ? "Jede Minute" : `Alle ${every} Minuten`),
    hours: (every, minute) => `${every === 1 ? "Jede Stunde" : `Alle ${every} Stunden`} um :${minute}`,
    daily: (time) => `Täglich um ${time}`,
    weekdays: (time) => `Montag bis Freitag um ${time}`,
    days: (days, time) => `${capital(listed(days.map((day) => DAY_NAMES[day]!)))} um ${time}`,
    everyWeeks: (weeks, schedule) => `${schedule}, alle ${weeks} Wochen`,
    month: (day, time) => `${day === "L" ? "Am letzten Tag" : `Am ${day}.`} jedes Monats um ${time}`,
    inPlace: (schedule, place) => `${schedule} in ${place}`,
    inUtc: (schedule) => `${schedule} UTC`,
    withNext: (schedule, next) => `${schedule}; nächster Termin: ${next}`,
  },
};
