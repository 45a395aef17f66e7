/** How a signed-in user confirms their identity: with a code if they have a second factor. */
export const proofMethods = ["password", "code"] as const
export type ProofWay = (typeof proofMethods)[number]

/** How long a proof of identity allows actions that move money or change rights, in minutes. Signing in is a proof. */
export const proofValidMinutes = 10

export const isProven = (provenAt: Temporal.Instant, now: Temporal.Instant): boolean =>
  now.epochMilliseconds - provenAt.epochMilliseconds < proofValidMinutes * 60_000
