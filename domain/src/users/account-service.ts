/** How long an access token is good, in seconds; the session behind it may end sooner. */
export const accessTokenSeconds = 3_600

/** How long whoever reads the key set may keep it, in seconds (specification 1, section 9: "Key-set cache 10 minutes"). */
export const keySetSeconds = 600

/**
 * How long after its use a refresh token is answered once more as it was, in seconds: an answer may be lost on the way,
 * and clients try again for so long (specification 1, section 9).
 */
export const repeatSeconds = 30

/** How long a code may be given after it was asked for, in seconds. */
export const challengeSeconds = 300

/** How far a session is sure of whose it is: by the password alone, or by a second factor beside it. */
export const levels = ["aal1", "aal2"] as const
export type Level = (typeof levels)[number]

/** How long a key signs until the next one takes over, in days. */
const signingDays = 30

const seconds = (from: Temporal.Instant, to: Temporal.Instant): number =>
  (to.epochMilliseconds - from.epochMilliseconds) / 1_000

interface Key {
  signsFrom: Temporal.Instant
}

/**
 * Which key signs now, which are no longer needed, and from when a new one is to sign, if one is to be made. A new key is
 * published for twice as long as anybody keeps the key set before it signs; an old one as long as what it signed is good.
 */
export function keyPlan<K extends Key>(
  keys: readonly K[],
  now: Temporal.Instant,
): { signs: K | undefined; makeFrom: Temporal.Instant | undefined; drop: K[] } {
  const inOrder = keys.toSorted((one, other) => seconds(other.signsFrom, one.signsFrom))
  const begun = inOrder.filter(({ signsFrom }) => seconds(signsFrom, now) >= 0)
  const signs = begun.at(-1)
  const drop = begun.filter((_, n) => {
    const next = begun[n + 1]
    return next !== undefined && seconds(next.signsFrom, now) > accessTokenSeconds + keySetSeconds
  })
  if (!signs) return { signs, makeFrom: now, drop }
  const isDue = begun.length === inOrder.length && seconds(signs.signsFrom, now) >= signingDays * 86_400
  return { signs, makeFrom: isDue ? now.add({ seconds: 2 * keySetSeconds }) : undefined, drop }
}

/**
 * What a refresh token that was ours is now: good; one whose answer got lost, which is given again; or one that was used
 * before, by somebody who is not who uses its successors: then nobody can tell which of them is the thief.
 *
 * @param token when it was used, and whether what it was answered with was used since
 */
export function judgeRefreshToken(
  token: { usedAt: Temporal.Instant | null; isSuccessorUsed: boolean },
  now: Temporal.Instant,
): "good" | "repeated" | "reused" {
  if (token.usedAt === null) return "good"
  return !token.isSuccessorUsed && seconds(token.usedAt, now) < repeatSeconds ? "repeated" : "reused"
}

/** Whether a challenge of a second factor may still be answered. */
export const challengeHolds = (askedAt: Temporal.Instant, now: Temporal.Instant): boolean =>
  seconds(askedAt, now) < challengeSeconds
