import { expect, test } from "vitest"
import { allowedActions } from "../claims/claim-lifecycle.ts"
import { canServiceKeyUse, preparerIds } from "../platform/permission.ts"
import { checkKeyExpiry, isServiceKey, keyHintOf, keyRoles, keyState } from "./service-key.ts"

const at = (text: string) => Temporal.Instant.from(text)
const createServiceKey = (more: object = {}) => ({ expiresAt: at("2026-12-01T00:00:00Z"), revokedAt: null, ...more })

test.each([
  ["2026-11-30T23:59:59Z", {}, "active"],
  ["2026-12-01T00:00:00Z", {}, "expired"],
  ["2026-11-01T00:00:00Z", { revokedAt: "2026-10-31T00:00:00Z" }, "revoked"],
  ["2027-01-01T00:00:00Z", { revokedAt: "2026-10-31T00:00:00Z" }, "revoked"],
])("at %s a key with %o is %s", (now, more, state) => expect(keyState(createServiceKey(more), at(now))).toBe(state))

test.each([
  ["2026-11-01", "Choose today or a later day"],
  ["2026-11-02", undefined],
  ["2028-11-01", undefined],
  ["2028-11-02", "Choose a day at most two years ahead"],
])("a key made on 2 November 2026 that ends on %s: %s", (expiresOn, message) => {
  const answer = checkKeyExpiry(expiresOn, "2026-11-02")
  if (message) expect(answer).toMatchObject({ refused: "INVALID", data: { fields: [{ path: "expiresOn", message }] } })
  else expect(answer).toBe(expiresOn)
})

test("recognises only whole keys, and the hint does not reveal the key", () => {
  const written = `mwk_${"aB3_-".repeat(9).slice(0, 43)}`
  expect(isServiceKey(written)).toBe(true)
  for (const wrong of ["", "mwk_", written.slice(0, -1), `${written}x`, written.replace("mwk", "mwx"), ` ${written}`])
    expect(isServiceKey(wrong)).toBe(false)
  expect(keyHintOf(written)).toBe("mwk_aB3_…")
})

test("a program's key counts as its creator for the four-eyes rule", () => {
  expect(preparerIds({ userId: "program", keyMadeBy: "maker" })).toEqual(["program", "maker"])
  expect(preparerIds({ userId: "person" })).toEqual(["person"])
})

test("programs cannot call procedures reserved for people", () => {
  const actor = { userId: "program", role: "group_admin", keyMadeBy: "maker" } as const
  const claim = {
    status: "pending_group_admin",
    capturedBy: [],
    submittedBy: null,
    paymentStarted: false,
    isPartlyPaid: false,
    approvals: [],
  } as const
  expect(allowedActions({ ...claim, capturedBy: [] }, { ...actor, keyMadeBy: undefined })).toEqual([
    "approve",
    "decline",
  ])
  expect(allowedActions({ ...claim, capturedBy: [] }, actor)).toEqual([])
})

test("programs can read reports but only people can schedule them", () => {
  expect([canServiceKeyUse("reports.read"), canServiceKeyUse("reports.schedule")]).toEqual([true, false])
})

test("a program cannot be an administrator", () => expect(keyRoles).not.toContain("admin"))
