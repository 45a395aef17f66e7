import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  accessTokenSeconds,
  isChallengeValid,
  judgeRefreshToken,
  keySetSeconds,
  planKeys,
  refreshRepeatSeconds,
} from "./account-service.ts"

const noon = Temporal.Instant.from("2026-11-22T12:00:00Z")
const createKey = (signsFrom: Temporal.Instant) => ({ signsFrom })

describe("signing keys", () => {
  it("creates the first key at once and the next a month later, published in advance", () => {
    expect(planKeys([], noon)).toEqual({ signs: undefined, makeFrom: noon, drop: [] })
    const first = createKey(noon)
    expect(planKeys([first], noon)).toMatchObject({ signs: first, makeFrom: undefined })
    const due = noon.add({ hours: 30 * 24 })
    const { signs, makeFrom } = planKeys([first], due)
    expect(signs).toBe(first)
    expect(makeFrom!.toString()).toBe("2026-12-22T12:20:00Z")
    const next = createKey(makeFrom!)
    expect(planKeys([first, next], due)).toEqual({ signs: first, makeFrom: undefined, drop: [] })
    expect(planKeys([next, first], makeFrom!).signs).toBe(next)
    expect(planKeys([first, next], makeFrom!.add({ hours: 1 })).drop).toEqual([])
    expect(planKeys([first, next], makeFrom!.add({ hours: 2 })).drop).toEqual([first])
  })

  it("keeps a key while its tokens are valid and signs only with published keys", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 * 24 * 60 }), { maxLength: 60 }), (minutes) => {
        let now = noon
        let keys: { signsFrom: Temporal.Instant; madeAt: Temporal.Instant; lastSigned?: Temporal.Instant }[] = []
        for (const pause of minutes) {
          now = now.add({ minutes: pause })
          const plan = planKeys(keys, now)
          for (const { lastSigned } of plan.drop)
            if (lastSigned) expect(now.since(lastSigned).total("seconds")).toBeGreaterThanOrEqual(accessTokenSeconds)
          keys = keys.filter((kept) => !plan.drop.includes(kept))
          if (plan.makeFrom) keys.push({ signsFrom: plan.makeFrom, madeAt: now })
          const { signs } = planKeys(keys, now)
          expect(signs).toBeDefined()
          if (signs !== keys[0]) expect(now.since(signs!.madeAt).total("seconds")).toBeGreaterThanOrEqual(keySetSeconds)
          signs!.lastSigned = now
        }
      }),
    )
  })
})

describe("a refresh token", () => {
  it.each([
    ["one that nobody used", null, false, "good"],
    ["one whose answer got lost", 0, false, "repeated"],
    ["the same, for as long as clients try again", refreshRepeatSeconds - 1, false, "repeated"],
    ["one that comes too late for that", refreshRepeatSeconds, false, "reused"],
    ["one whose answer was used since", 1, true, "reused"],
  ] as const)("%s", (_, secondsAgo, isSuccessorUsed, verdict) => {
    const usedAt = secondsAgo === null ? null : noon.subtract({ seconds: secondsAgo })
    expect(judgeRefreshToken({ usedAt, isSuccessorUsed }, noon)).toBe(verdict)
  })
})

it("a second-factor challenge must be answered within five minutes", () => {
  expect(isChallengeValid(noon, noon.add({ seconds: 299 }))).toBe(true)
  expect(isChallengeValid(noon, noon.add({ seconds: 300 }))).toBe(false)
})
