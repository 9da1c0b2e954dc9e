// The texts about lost passwords, second factors and logins at a provider.
export const enAccounts = {
  // Reset link
  resetTitle: "Set a new password", resetLead: "Your old password, logins and tokens end when you set the new one.", resetButton: "Set password",
  resetDone: (name: string) => `The password of “${name}” was changed.`,
  newResetLink: "Password reset link", resetLink: "Password reset",
  resetLinkLead: (name: string, until: string) => `Send this link to ${name} to set a new password. It works once, until ${until}.`,

  // Second factor
  factor: "Two-factor authentication", factorOn: "Logging in needs your password and a code of your authenticator app.",
  factorOff: "Protect your account with a code of an authenticator app on your phone, in addition to the password.",
  setUpFactor: "Set up authenticator app", next: "Continue", confirm: "Confirm", code: "Code",
  scanCode: "Scan this code with your authenticator app, then enter the code that the app shows.", qrCode: "QR code", typeKey: "Or type this key into the app:", openApp: "Open in an app on this device", codeOfApp: "6 digits",
  codeHint: "6 digits of the app, or a recovery code.", codeNeeded: "Enter the code of your authenticator app.",
  recoveryCodes: "Recovery codes", recoveryCodesLead: "Each code replaces the app once, if you lose it. Keep them in a safe place; they will not be shown again.",
  newCodes: "New recovery codes", newCodesLead: "The current recovery codes become invalid.", howManyLeft: "Recovery codes left",
  codesLeft: (count: number) => `${count} recovery ${count === 1 ? "code" : "codes"} left`,
  disableFactor: "Turn off", disableFactorLead: "From then on, logging in needs only your password. All other logins end.",

  // OpenID provider
  logInWith: (name: string) => `Log in with ${name}`, orWithPassword: "or with your password",
  providerRefused: (reason: string) => `The provider refused the login${reason && `: ${reason}`}`,

  // Users
  protectedBadge: "2FA", removeFactor: "Remove second factor", removeFactorTitle: (name: string) => `Remove the second factor of ${name}?`,
  removeFactorLead: "For users who have lost their authenticator app and recovery codes. All their logins end; their password stays.",
};
