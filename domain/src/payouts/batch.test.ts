import { describe, expect, test } from "vitest"
import { type Role, roles } from "../platform/permission.ts"
import {
  allowedBatchActions,
  type Batch,
  type BatchPayment,
  type BatchStatus,
  batchActions,
  batchLifecycle,
  batchStatuses,
  checkExecutionDay,
  earliestExecutionDay,
  endToEndIdOf,
  releaseBatch,
} from "./batch.ts"
import { plainAmount, transliterate } from "./payment-file.ts"
import { remittanceAdvice } from "./remittance-advice.ts"

const released = { export: "released", withdraw: "released", replace: "released", answer: "released" }
const statusTransitions: Record<BatchStatus, Record<string, BatchStatus>> = {
  open: { edit: "open", add: "open", takeOut: "open", release: "released", cancel: "cancelled" },
  released: released as Record<string, BatchStatus>,
  cancelled: {},
}

test.each(
  batchStatuses.flatMap((status) => batchActions.map((action) => [status, action] as const)),
)("a batch that is %s has the right next status for %s", (status, action) =>
  expect(batchLifecycle.next(status, action)).toBe(statusTransitions[status][action] ?? null))

test.each([...roles, null] as (Role | null)[])("a batch offers the right actions to %s", (role) => {
  const actor = { userId: "u", role }
  const mayWrite = role === "admin" || role === "manager"
  const of = (status: BatchStatus, file: Parameters<typeof allowedBatchActions>[1], own = false) =>
    allowedBatchActions({ status }, file, own, actor)
  const file = { exportedAt: null, withdrawn: null }
  const only = (...actions: string[]) => (mayWrite ? actions : [])
  expect(of("open", null)).toEqual(only("edit", "add", "takeOut", "release", "cancel"))
  expect(of("open", null, true)).toEqual(only("edit", "add", "takeOut", "cancel"))
  expect(of("released", null)).toEqual([])
  expect(of("released", file)).toEqual(only("export", "withdraw", "answer"))
  expect(of("released", { ...file, exportedAt: "2026-11-02T08:00:00Z" })).toEqual(only("withdraw", "answer"))
  expect(of("released", { ...file, withdrawn: "not_sent" })).toEqual(only("replace", "answer"))
  expect(of("cancelled", null)).toEqual([])
})

describe("the execution day", () => {
  const at = (time: string) => ({ today: "2026-11-20", time })
  test("the first execution day is today until the cut-off, then the next business day", () => {
    expect(earliestExecutionDay(at("14:59"), "15:00")).toBe("2026-11-20")
    expect(earliestExecutionDay(at("15:00"), "15:00")).toBe("2026-11-23")
    expect(earliestExecutionDay({ today: "2026-12-15", time: "16:00" }, "15:00")).toBe("2026-12-17")
  })
  test.each([
    ["2026-11-20", "09:00", null],
    ["2026-11-20", "15:00", "The earliest execution day is 2026-11-23"],
    ["2026-11-22", "09:00", "This is not a business day. The next business day is 2026-11-23"],
    ["2026-12-16", "09:00", "This is not a business day. The next business day is 2026-12-17"],
    ["2027-03-01", "09:00", "Choose a day at most 90 days ahead"],
  ])("checks execution day %s chosen at %s: %s", (day, time, message) => {
    const decided = checkExecutionDay(day, at(time), "15:00")
    if (message === null) expect(decided).toBe(day)
    else expect(decided).toMatchObject({ refused: "INVALID", message, data: { fields: [{ path: "executionOn" }] } })
  })
})

describe("releasing a batch", () => {
  const batch: Batch = {
    ...{ id: "b", number: "BAT-2026-000001", bankAccountId: "a", executionOn: "2026-11-20", format: "pain001" },
    ...{ status: "open", createdBy: "maker", createdAt: "2026-11-19T08:00:00Z", releasedBy: null, releasedAt: null },
    ...{ statusReason: null, version: 1 },
  }
  const payment = (changes: Partial<BatchPayment> = {}): BatchPayment => ({
    ...{ id: "p", number: "PAY-2026-000001", status: "pending", amountCents: 100_00, preparedBy: ["maker"] },
    ...{ payeeChangedBy: null, payeeChangedAt: null, formerPayee: null, payeeConfirmedBy: null },
    ...{ createdBy: "maker", createdAt: "2026-11-19T08:00:00Z" },
    ...changes,
  })
  const limits = { releaseLimitCents: 0, batchLimitCents: 0, payeeWaitHours: 24, bankCutOff: "15:00" }
  const moment = { today: "2026-11-20", time: "09:00", now: Temporal.Instant.from("2026-11-20T07:00:00Z") }
  const by = (userId: string, payments: BatchPayment[], changes: object = {}, of = batch) =>
    releaseBatch(of, payments, { userId, role: "manager" }, { ...limits, ...changes }, moment, "ZAR")

  test("another user can release a batch and is recorded", () => {
    expect(by("other", [payment()])).toMatchObject({ status: "released", releasedBy: "other", version: 2 })
  })
  test("refuses the release by a user who made a payment or changed its payee", () => {
    const others = payment({ id: "q", number: "PAY-2026-000002", preparedBy: ["somebody"] })
    expect(by("maker", [others, payment()])).toMatchObject({
      refused: "FOUR_EYES",
      message: expect.stringContaining("PAY-2026-000001"),
    })
    expect(by("changer", [payment({ preparedBy: ["maker", "changer"], payeeChangedBy: "changer" })])).toMatchObject({
      refused: "FOUR_EYES",
    })
    expect(by("maker", [others])).toMatchObject({ status: "released" })
  })
  test("the release limit applies to a whole batch, never to payees the user changed", () => {
    const two = [payment(), payment({ id: "q" })]
    expect(by("maker", two, { releaseLimitCents: 199_99 })).toMatchObject({ refused: "FOUR_EYES" })
    expect(by("maker", two, { releaseLimitCents: 200_00 })).toMatchObject({ status: "released" })
    const changed = [payment({ preparedBy: ["maker"], payeeChangedBy: "maker" })]
    expect(by("maker", changed, { releaseLimitCents: 1_000_00 })).toMatchObject({ refused: "FOUR_EYES" })
  })
  test("refuses to release a batch that is too large, empty, released or past its day", () => {
    expect(by("other", [payment()], { batchLimitCents: 99_99 })).toMatchObject({ refused: "LIMIT" })
    expect(by("other", [payment()], { batchLimitCents: 100_00 })).toMatchObject({ status: "released" })
    expect(by("other", [])).toMatchObject({ refused: "EMPTY" })
    expect(by("other", [payment()], {}, { ...batch, status: "released" })).toMatchObject({ refused: "WRONG_STATUS" })
    expect(by("other", [payment()], {}, { ...batch, executionOn: "2026-11-19" })).toMatchObject({ refused: "INVALID" })
  })
  test("refuses to release a changed payee that is unconfirmed or in its waiting period", () => {
    const was = {
      ...{ method: "eft" as const, payeeName: "S", payeeBank: "FNB", payeeBranchCode: "250655" },
      ...{ payeeAccountNumber: "62001234567", payeeEmail: "" },
    }
    const guarded = payment({ formerPayee: was })
    expect(by("other", [guarded])).toMatchObject({ refused: "PAYEE_WAITS" })
    expect(by("other", [{ ...guarded, payeeConfirmedBy: "third" }])).toMatchObject({ refused: "PAYEE_WAITS" })
    const old = { ...guarded, payeeConfirmedBy: "third", createdAt: "2026-11-19T07:00:00Z" }
    expect(by("other", [old])).toMatchObject({ status: "released" })
  })
})

test.each([
  ["Müller & Söhne (Pty) Ltd", "Muller + Sohne (Pty) Ltd"],
  ["Zoë  Łukasz\nØdegård", "Zoe Lukasz Odegard"],
  ["Ngũgĩ wa Thiong’o", "Ngugi wa Thiong'o"],
  ["<Nm>; DROP \u0001 “Straße”", "Nm DROP Strasse"],
  ["李小龍", ""],
])("a payment file transliterates %s as %s", (text, plain) => expect(transliterate(text, 140)).toBe(plain))

test("amounts have a point and two digits; a repeated release suffixes the payment number", () => {
  expect([plainAmount(1), plainAmount(10_50), plainAmount(1_234_567_00)]).toEqual(["0.01", "10.50", "1234567.00"])
  expect(endToEndIdOf({ number: "PAY-2026-000001", releasesUndone: 0 })).toBe("PAY-2026-000001")
  expect(endToEndIdOf({ number: "PAY-2026-000001", releasesUndone: 2 })).toBe("PAY-2026-000001-3")
})

test("a remittance advice contains amount, day, bank, reference and the last account digits", () => {
  const payout = {
    ...{ payeeName: "S Dlamini", amountCents: 1_250_00, method: "eft" as const, payeeBank: "FNB" },
    ...{ payeeAccountNumber: "62001234567", reference: "CLM-2026-000001" },
    // The mail must not contain these fields.
    ...{ notes: "Cancer treatment", subjectLabel: "CLM-2026-000001", memberId: "m" },
  }
  const { subject, text } = remittanceAdvice(payout, { organisation: "Milkwood Life", paidOn: "2026-11-02" }, "ZAR")
  expect(subject).toBe("Remittance advice CLM-2026-000001")
  expect(text).toContain("R\u00a01\u00a0250,00")
  expect(text).toContain("FNB, account ending in 4567")
  expect(text).not.toMatch(/62001234567|Cancer/)
})
