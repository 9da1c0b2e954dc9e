import type { enAccounts } from "./en_accounts";

export const deAccounts: typeof enAccounts = {
  resetTitle: "Neues Passwort setzen", resetLead: "Ihr altes Passwort, Ihre Anmeldungen und Token enden, wenn Sie das neue setzen.", resetButton: "Passwort setzen",
  resetDone: (name: string) => `Das Passwort von „${name}“ wurde geändert.`,
  newResetLink: "Link zum Zurücksetzen des Passworts", resetLink: "Passwort zurücksetzen",
  resetLinkLead: (name: string, until: string) => `Senden Sie diesen Link an ${name}, um ein neues Passwort zu setzen. Er gilt einmal, bis ${until}.`,

  factor: "Zwei-Faktor-Authentifizierung", factorOn: "Zum Anmelden sind Ihr Passwort und ein Code Ihrer Authenticator-App nötig.",
  factorOff: "Schützen Sie Ihr Konto zusätzlich zum Passwort mit einem Code einer Authenticator-App auf Ihrem Telefon.",
  setUpFactor: "Authenticator-App einrichten", next: "Weiter", confirm: "Bestätigen", code: "Code",
  scanCode: "Scannen Sie diesen Code mit Ihrer Authenticator-App und geben Sie dann den Code ein, den die App zeigt.", qrCode: "QR-Code", typeKey: "Oder geben Sie diesen Schlüssel in die App ein:", openApp: "In einer App auf diesem Gerät öffnen", codeOfApp: "6 Ziffern",
  codeHint: "6 Ziffern der App oder ein Wiederherstellungscode.", codeNeeded: "Geben Sie den Code Ihrer Authenticator-App ein.",
  recoveryCodes: "Wiederherstellungscodes", recoveryCodesLead: "Jeder Code ersetzt einmal die App, falls Sie sie verlieren. Bewahren Sie die Codes sicher auf; sie werden nicht noch einmal gezeigt.",
  newCodes: "Neue Wiederherstellungscodes", newCodesLead: "Die bisherigen Wiederherstellungscodes werden ungültig.", howManyLeft: "Verbleibende Wiederherstellungscodes",
  codesLeft: (count: number) => `${count} ${count === 1 ? "Wiederherstellungscode" : "Wiederherstellungscodes"} übrig`,
  disableFactor: "Ausschalten", disableFactorLead: "Danach genügt zum Anmelden Ihr Passwort. Alle anderen Anmeldungen enden.",

  logInWith: (name: string) => `Mit ${name} anmelden`, orWithPassword: "oder mit Ihrem Passwort",
  providerRefused: (reason: string) => `Der Anbieter hat die Anmeldung abgelehnt${reason && `: ${reason}`}`,

  protectedBadge: "2FA", removeFactor: "Zweiten Faktor entfernen", removeFactorTitle: (name: string) => `Den zweiten Faktor von ${name} entfernen?`,
  removeFactorLead: "Für Benutzer, die ihre Authenticator-App und die Wiederherstellungscodes verloren haben. Alle ihre Anmeldungen enden; ihr Passwort bleibt.",
};
