/** How a signed-in user confirms their identity: with a code if they have a second factor. */
export const proofMethods = ["password", "code"] as const
export type ProofWay = (typeof proofMethods)[number]

/** Minutes that a proof stays valid for actions that move money or rights. Signing in counts as one. */
export const proofValidMinutes = 10

export const isProven = (provenAt: Temporal.Instant, now: Temporal.Instant): boolean =>
  now.epochMilliseconds - provenAt.epochMilliseconds < proofValidMinutes * 60_000
