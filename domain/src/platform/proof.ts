/** What somebody signed in gives to prove anew who they are: a code where they have a second factor. */
export const proofWays = ["password", "code"] as const
export type ProofWay = (typeof proofWays)[number]

/** So many minutes a proof holds for what moves money or rights; signing in is one. */
export const proofMinutes = 10

/** Whether the last proof still holds. */
export const isProven = (provenAt: Temporal.Instant, now: Temporal.Instant): boolean =>
  now.epochMilliseconds - provenAt.epochMilliseconds < proofMinutes * 60_000
