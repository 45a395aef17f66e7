/** How a signed-in user confirms their identity: with a code if they have a second factor. */
export const proofWays = ["password", "code"] as const
export type ProofWay = (typeof proofWays)[number]

/** Minutes that a proof stays valid for actions that move money or rights. Signing in counts as one. */
export const proofMinutes = 10

export const isProven = (provenAt: Temporal.Instant, now: Temporal.Instant): boolean =>
  now.epochMilliseconds - provenAt.epochMilliseconds < proofMinutes * 60_000
