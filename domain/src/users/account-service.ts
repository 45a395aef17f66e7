/** Lifetime in seconds. The session behind the token may end sooner. */
export const accessTokenSeconds = 3_600

/** Cache lifetime of the key set, in seconds (specification 1, section 9: "Key-set cache 10 minutes"). */
export const keySetSeconds = 600

/**
 * Seconds during which a used refresh token returns the same answer again, because clients retry after a lost response
 * (specification 1, section 9).
 */
export const refreshRepeatSeconds = 30

/** Lifetime of a second-factor challenge, in seconds. */
export const challengeSeconds = 300

/** Assurance level of a session: password only, or password and second factor. */
export const levels = ["aal1", "aal2"] as const
export type Level = (typeof levels)[number]

/** Days for which a key signs before the next one. */
const signingKeyDays = 30

const secondsBetween = (from: Temporal.Instant, to: Temporal.Instant): number =>
  (to.epochMilliseconds - from.epochMilliseconds) / 1_000

interface SigningKeyTimes {
  signsFrom: Temporal.Instant
}

/**
 * Decides which key signs now, which can be deleted, and when a new key starts to sign. A new key is published for
 * twice the cache lifetime before it signs. An old key stays published while its tokens are valid.
 */
export function planKeys<K extends SigningKeyTimes>(
  keys: readonly K[],
  now: Temporal.Instant,
): { signs: K | undefined; makeFrom: Temporal.Instant | undefined; drop: K[] } {
  const inOrder = keys.toSorted((one, other) => secondsBetween(other.signsFrom, one.signsFrom))
  const begun = inOrder.filter(({ signsFrom }) => secondsBetween(signsFrom, now) >= 0)
  const signs = begun.at(-1)
  const drop = begun.filter((_, n) => {
    const next = begun[n + 1]
    return next !== undefined && secondsBetween(next.signsFrom, now) > accessTokenSeconds + keySetSeconds
  })
  if (!signs) return { signs, makeFrom: now, drop }
  const isDue = begun.length === inOrder.length && secondsBetween(signs.signsFrom, now) >= signingKeyDays * 86_400
  return { signs, makeFrom: isDue ? now.add({ seconds: 2 * keySetSeconds }) : undefined, drop }
}

/**
 * Judges a known refresh token: valid, a retry after a lost response, or reuse after its successor was used. Reuse
 * means that the token was stolen: the thief or the owner has used the successor.
 *
 * @param token when it was used, and whether its successor was used since
 */
export function judgeRefreshToken(
  token: { usedAt: Temporal.Instant | null; isSuccessorUsed: boolean },
  now: Temporal.Instant,
): "good" | "repeated" | "reused" {
  if (token.usedAt === null) return "good"
  return !token.isSuccessorUsed && secondsBetween(token.usedAt, now) < refreshRepeatSeconds ? "repeated" : "reused"
}

export const isChallengeValid = (askedAt: Temporal.Instant, now: Temporal.Instant): boolean =>
  secondsBetween(askedAt, now) < challengeSeconds
