/** Settings that rooms before the settings read, as they are until somebody saves something else. */
export const initialSettings = {
  organisationName: "Milkwood",
  timezone: "Africa/Johannesburg",
  passwordPolicy: "strong",
  sessionTimeoutMinutes: 60,
} as const
