import { expect, test } from "vitest"
import { roles } from "../platform/permission.ts"
import {
  kindDetailsOf,
  type NotificationKind,
  notificationKinds,
  notificationKindsOf,
  notificationPath,
  notificationText,
} from "./notification.ts"

const all = Object.keys(notificationKinds) as NotificationKind[]

test("every notification kind has recipients, and a role receives only its own kinds", () => {
  for (const kind of all) expect(kindDetailsOf(kind).roles.length, kind).toBeGreaterThan(0)
  for (const role of roles)
    expect(notificationKindsOf(role)).toEqual(all.filter((kind) => kindDetailsOf(kind).roles.includes(role)))
  expect(notificationKindsOf(null)).toEqual([])
  for (const role of ["group_admin", "policy_holder"] as const)
    for (const kind of ["payout_to_release", "payout_failed", "write_off_to_confirm", "promise_broken"] as const)
      expect(notificationKindsOf(role)).not.toContain(kind)
})

test("every notification kind has its own text with the record number", () => {
  const said = all.map((kind) =>
    notificationText(
      { kind, label: "X-1", detail: { days: 7, stage: "underwriter", cents: 100, on: "2026-11-02" } },
      "DD-MM-YYYY",
      "ZAR",
    ),
  )
  expect(new Set(said).size).toBe(all.length)
  for (const text of said) expect(text).toContain("X-1")
  expect(said[all.indexOf("invoice_sent")]).toContain("02-11-2026")
})

test("a completed notification links to the record, not to the decision page", () => {
  const record = { kind: "claim" as const, id: "1" }
  expect(notificationPath("claim_to_decide", record)).toBe("/claims/1/approve")
  expect(notificationPath("claim_to_decide", record, true)).toBe("/claims/1")
})

test.each([
  ["approved", "Claim CLM-1 was approved"],
  ["reopened", "Claim CLM-1 was reopened"],
  ["withdrawn", "Claim CLM-1 was withdrawn"],
  ["approval_withdrawn", "Claim CLM-1 was returned to review: its approval was withdrawn"],
] as const)("the outcome %s of a claim reads: %s", (outcome, text) =>
  expect(notificationText({ kind: "claim_decided", label: "CLM-1", detail: { outcome } }, "YYYY-MM-DD", "ZAR")).toBe(
    text,
  ))
