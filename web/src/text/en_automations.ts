// The texts about automations.
const listed = (words: string[]) => new Intl.ListFormat("en", { type: "conjunction" }).format(words);
const DAY_NAMES = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"];
const ordinal = (day: number) => `${day}${{ one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" }[new Intl.PluralRules("en", { type: "ordinal" }).select(day)]}`;

export const enAutomations = {
  title: "Automations", lead: "Questions that are asked at set times, after events, by other programs, or when you start them.",
  create: "New automation", none: "No automations yet.", noneHint: "An automation asks the same question every morning, or whenever you run it.",
  allRuns: "Runs", runsLead: "All runs of all automations, newest first.", missing: "Automation not found", missingLead: "It was deleted, or it belongs to another user.",
  back: "All automations", edit: "Edit", editTitle: "Edit automation", runNow: "Run now", pause: "Pause", resume: "Resume", actions: (name: string) => `Actions for “${name}”`,
  removeTitle: (name: string) => `Delete “${name}”?`, removeLead: "Deletes the automation and its list of runs, and cancels active runs. Conversations stay.",
  started: "Run started.", cancel: "Cancel run", retry: "Try again", openChat: "Open conversation", runTitle: (name: string) => `Run “${name}”`,
  state: { active: "Active", paused: "Paused", ended: "Ended" } as Record<string, string>,
  pauseReason: { user: "Paused by you", failures: "Paused after repeated failures", time_zone: "Paused: its time zone is no longer known" } as Record<string, string>,
  next: (time: string) => `Next: ${time}`, nextTimes: "Next times",
  byHand: "Only when run by hand", byHook: "When its hook is called", byEvent: (events: string) => `After an event: ${events}`, once: (time: string) => `Once: ${time}`, endedText: "No further times", failures: (count: number) => (count === 1 ? "The last run failed." : `The last ${count} runs failed.`),

  // Runs
  runs: "Runs", noRuns: "No runs yet.", filter: "Status", anyStatus: "All", message: "Message sent", attempts: (count: number) => `${count} attempts`,
  status: {
    queued: "Waiting", running: "Running", waiting: "Waiting for the next attempt", completed: "Completed", failed: "Failed", cancelled: "Cancelled", skipped: "Skipped", missed: "Missed",
  } as Record<string, string>,
  skipped: {
    overlap: "An earlier run had not ended.", queue_full: "Too many runs were waiting.", budget: "The daily token budget was used up.", paused: "The automation was paused.",
    loop: "The chain of automations was too long.",
  } as Record<string, string>,
  missedMany: (count: number) => `${count} due times passed while the server was not running.`, missedOne: "The server was not running at this time.",
  trigger: { manual: "run by hand", schedule: "scheduled", hook: "called by its hook", event: "after an event" } as Record<string, string>, nextAttempt: (time: string) => `Next attempt: ${time}`,

  // Form
  name: "Name", messageLabel: "Message", messageHint: "Write {{name}} for a value that is given when it runs. Always available: {{run.local_date}}, {{run.local_time}}, {{automation.name}}.",
  variables: "Variables", variableDefault: (name: string) => `Default for ${name}`, variableRequired: (name: string) => `${name} is required`, noDefault: "No default",
  scheduleNeedsDefault: "Scheduled runs use the defaults: they fail if a required variable has none.",
  when: "When", starts: "Starts", kindNone: "Only by hand", kindCron: "On a schedule", kindAt: "Once", kindHook: "When another program calls", kindEvent: "After an event", repeat: "Repeats",
  repeats: { daily: "Every day", weekdays: "Weekdays", weekly: "On days of the week", hours: "Every few hours", minutes: "Every few minutes", month: "Monthly", cron: "Cron expression" },
  time: "Time", days: "Days", everyWeeks: "Every … weeks", everyHours: "Hours between runs", everyMinutes: "Minutes between runs", minuteOfHour: "Minute of the hour", dayOfMonth: "Day of the month", lastDay: "Last day",
  cron: "Cron expression", cronHint: "Minute, hour, day of month, month, day of week. Example: 0 9 * * MON-FRI", at: "Date and time", zone: "Time zone", zoneHint: "A name such as Europe/Berlin.",
  preview: "Preview", previewEmpty: "No time yet: the schedule is not complete.", previewHand: "It runs only when you start it.", incomplete: "The schedule is not complete.",
  moved: "moved by a clock change", firstOfTwo: "first of two, because of a clock change", tokens: (count: string) => `${count} input tokens`, asSent: "The message as it would be sent",
  session: "Conversation", uses: "Uses", sessionNew: "A new conversation for each run", sessionContinue: "Always the same conversation", keep: "Conversations to keep", keepHint: "Older ones of this automation are deleted. Empty: all are kept.",
  continueIn: "Continue in", continueFirst: "A new one, created by the first run",
  overlap: "If an earlier run has not ended", overlaps: { skip: "Skip this run", queue: "Wait for it", cancel: "Cancel the earlier run", allow: "Run both" },
  catchUp: "Times missed while the server was off", catchUps: { none: "Do not run them", latest: "Run the latest", all: "Run all (at most 100)" },
  attemptsLabel: "Attempts", attemptsHint: "If the model or the server fails. 1: no retry.", backoff: "Seconds before the second attempt", backoffHint: "Doubled before each further attempt.",
  more: "More settings", instructionsHint: "Sent to the model before the message (system prompt). No variables.", timeout: "Time limit of an attempt (seconds)",
  pauseAfter: "Pause after failures in a row", pauseAfterHint: "Empty: never.", budget: "Output tokens per day", budgetHint: "Empty: no limit. Needs a maximum answer length.",

  // Schedules in words: "Weekdays at 09:00 in Berlin"
  words: {
    minutes: (every: number) => (every === 1 ? "Every minute" : `Every ${every} minutes`),
    hours: (every: number, minute: string) => `${every === 1 ? "Every hour" : `Every ${every} hours`} at :${minute}`,
    daily: (time: string) => `Every day at ${time}`,
    weekdays: (time: string) => `Weekdays at ${time}`,
    days: (days: number[], time: string) => `${listed(days.map((day) => DAY_NAMES[day]!))} at ${time}`,
    everyWeeks: (weeks: number, schedule: string) => `${schedule}, every ${weeks} weeks`,
    month: (day: number | "L", time: string) => `${day === "L" ? "On the last day" : `On the ${ordinal(day)}`} of each month at ${time}`,
    inPlace: (schedule: string, place: string) => `${schedule} in ${place}`,
    inUtc: (schedule: string) => `${schedule} UTC`,
    withNext: (schedule: string, next: string) => `${schedule}; next: ${next}`,
  },
};
