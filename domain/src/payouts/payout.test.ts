import { describe, expect, test } from "vitest"
import { isRefusal } from "../kernel/refusal.ts"
import { type Role, roles } from "../platform/permission.ts"
import {
  allowedPayoutActions,
  canRelease,
  type Payout,
  type PayoutAction,
  type PayoutStatus,
  payoutActions,
  payoutLifecycle,
  payoutStatuses,
} from "./payout.ts"
import { postingsOfStep } from "./payout-postings.ts"
import { payee } from "./payout-shape.ts"
import {
  cancel,
  changePayee,
  complete,
  confirmPayee,
  fail,
  release,
  retry,
  returnPayout,
  takeBack,
} from "./payout-steps.ts"

/** The full transition table, repeated independently. */
const table: Record<PayoutStatus, Partial<Record<PayoutAction, PayoutStatus>>> = {
  pending: { changePayee: "pending", confirmPayee: "pending", release: "processing", cancel: "cancelled" },
  processing: { complete: "completed", fail: "failed", cancel: "cancelled" },
  completed: { return: "returned", takeBack: "processing" },
  failed: { changePayee: "failed", confirmPayee: "failed", retry: "pending", cancel: "cancelled" },
  cancelled: {},
  returned: { takeBack: "completed" },
}

const maker = "maker"
const now = Temporal.Instant.from("2026-11-02T08:00:00Z")
const samplePayee = {
  method: "cash",
  payeeName: "S Dlamini",
  payeeBank: "",
  payeeBranchCode: "",
  payeeAccountNumber: "",
  payeeEmail: "",
} as const
const createPayout = (status: PayoutStatus): Payout => ({
  id: "p",
  number: "PAY-2026-000001",
  groupId: "g",
  policyId: "q",
  subjectKind: "claim",
  subjectId: "c",
  subjectLabel: "CLM-2026-000001",
  payeeId: null,
  memberId: "m",
  ...samplePayee,
  reference: "CLM-2026-000001",
  notes: "",
  status,
  amountCents: 100_00,
  preparedBy: [maker],
  payeeChangedBy: null,
  payeeChangedAt: null,
  formerPayee: null,
  payeeConfirmedBy: null,
  createdBy: maker,
  createdAt: "2026-11-01T08:00:00Z",
  releasedBy: null,
  releasedAt: null,
  completedOn: ["completed", "returned"].includes(status) ? "2026-11-02" : null,
  completedAt: null,
  returnedOn: status === "returned" ? "2026-11-02" : null,
  bankAccountId: null,
  releasesUndone: 0,
  completionsUndone: 0,
  returnsUndone: 0,
  statusReason: null,
  version: 1,
})
const other = { userId: "other", role: "manager" } as const
const createLimits = (releaseLimitCents: number) => ({ releaseLimitCents, payeeWaitHours: 24, now })
const days = { completedOn: "2026-11-02", releasedOn: "2026-11-02", today: "2026-11-02" }
const steps = {
  changePayee: (of: Payout) =>
    changePayee(of, { ...samplePayee, payeeName: "A Botha" }, other, { earlier: { attempts: [], known: null }, now }),
  confirmPayee: (of: Payout) => confirmPayee({ ...of, formerPayee: { ...samplePayee, payeeName: "B Nkosi" } }, other),
  release: (of: Payout) => release(of, other, createLimits(0), now, "ZAR"),
  complete: (of: Payout) => complete(of, days, now),
  fail: (of: Payout) => fail(of, "Account closed"),
  retry,
  cancel: (of: Payout) => cancel(of, "Wrong payee"),
  return: (of: Payout) => returnPayout(of, { returnedOn: "2026-11-02", today: "2026-11-02" }, "Account closed"),
  takeBack: (of: Payout) => takeBack(of, "Another payment's line"),
}

describe.each(payoutStatuses)("a %s payment", (status) => {
  test.each(payoutActions)("%s", (action) => {
    const to = table[status][action] ?? null
    expect(payoutLifecycle.next(status, action)).toBe(to)
    const outcome = steps[action](createPayout(status))
    if (to === null) expect(outcome).toMatchObject({ refused: "WRONG_STATUS" })
    else {
      expect(outcome).toMatchObject({
        value: { status: to, version: 2 },
        facts: [{ record: { id: "p" }, subject: { kind: "claim", id: "c", label: "CLM-2026-000001" } }],
      })
    }
  })

  test.each([...roles, null] as (Role | null)[])("for %s", (role) => {
    const mayWrite = role === "admin" || role === "manager"
    // Undo is offered only at the bank line.
    const possible = Object.keys(table[status]).filter((action) => action !== "takeBack" && action !== "confirmPayee")
    const shown = { ...createPayout(status), batchStatus: null }
    expect(allowedPayoutActions(shown, { userId: "other", role }, createLimits(0))).toEqual(mayWrite ? possible : [])
    const ofMaker = allowedPayoutActions(shown, { userId: maker, role }, createLimits(0))
    expect(ofMaker).toEqual(mayWrite ? possible.filter((action) => action !== "release") : [])
  })
})

test.each([
  [0, maker, false],
  [0, "other", true],
  [99_99, maker, false],
  [100_00, maker, true],
  [100_01, maker, true],
] as const)("with a limit of %i cents, a payment of R 100 may be released by its %s: %s", (limit, userId, may) => {
  expect(canRelease(createPayout("pending"), { userId, role: "manager" }, limit)).toBe(may)
  const step = release(createPayout("pending"), { userId, role: "manager" }, createLimits(limit), now, "ZAR")
  expect(isRefusal(step) ? step.refused : step.value.status).toBe(may ? "processing" : "FOUR_EYES")
})

test("the last user to change the payee cannot release the payment, even below the limit", () => {
  const changed = { ...createPayout("pending"), preparedBy: [maker, "changer"], payeeChangedBy: "changer" }
  const of = (userId: string, limit: number) => canRelease(changed, { userId, role: "manager" }, limit)
  expect([of("changer", 0), of("changer", 1_000_00)]).toEqual([false, false])
  expect([of(maker, 0), of(maker, 1_000_00), of("other", 0)]).toEqual([false, true, true])
  const own = { ...changed, preparedBy: [maker], payeeChangedBy: maker }
  expect(release(own, { userId: maker, role: "manager" }, createLimits(1_000_00), now, "ZAR")).toMatchObject({
    refused: "FOUR_EYES",
    message: "You changed the payee of this payment. Someone else must release it.",
  })
})

test("bank payments need bank details; cash and cheques do not", () => {
  const bank = {
    payeeName: "S Dlamini",
    payeeBank: "FNB",
    payeeBranchCode: "250655",
    payeeAccountNumber: "62001234567",
  }
  const none = { payeeName: "S Dlamini", payeeBank: "", payeeBranchCode: "", payeeAccountNumber: "" }
  const wrong = (value: unknown) => payee.safeParse(value).error?.issues.map(({ path }) => path[0]) ?? []
  for (const method of ["bank_transfer", "eft"]) {
    expect(wrong({ method, ...bank })).toEqual([])
    expect(wrong({ method, ...none })).toEqual(["payeeBank", "payeeBranchCode", "payeeAccountNumber"])
    expect(wrong({ method, ...bank, payeeBranchCode: "25065" })).toEqual(["payeeBranchCode"])
    expect(wrong({ method, ...bank, payeeAccountNumber: "6200 123" })).toEqual(["payeeAccountNumber"])
  }
  for (const method of ["cheque", "cash"]) expect(wrong({ method, ...none })).toEqual([])
  expect(wrong({ method: "cash", ...none, payeeName: " " })).toEqual(["payeeName"])
})

test.each([
  ["2026-11-03", "The payment date is in the future"],
  ["2026-11-01", "The payment date is before the release"],
])("a payment cannot be completed on %s: %s", (completedOn, message) => {
  expect(complete(createPayout("processing"), { ...days, completedOn }, now)).toMatchObject({
    refused: "INVALID",
    message,
  })
})

test("a user who changes the payee becomes a preparer", () => {
  const changed = steps.changePayee(createPayout("pending"))
  expect(changed).toMatchObject({
    value: { payeeName: "A Botha", preparedBy: [maker, "other"], payeeChangedBy: "other" },
    facts: [{ type: "PayoutPayeeChanged", before: { payeeName: "S Dlamini" }, after: { payeeName: "A Botha" } }],
  })
})

test.each([
  ["2026-11-03", "The day is in the future"],
  ["2026-11-01", "The return date is before the payment date"],
])("a payment cannot be returned on %s: %s", (returnedOn, message) => {
  const outcome = returnPayout(createPayout("completed"), { returnedOn, today: "2026-11-02" }, "Account closed")
  expect(outcome).toMatchObject({ refused: "INVALID", message })
})

describe("postings by subject kind", () => {
  const run = (subjectKind: "claim" | "refund") => {
    const said: string[] = []
    let at: Payout = { ...createPayout("pending"), subjectKind, bankAccountId: "b" }
    const take = (step: (of: Payout) => unknown) => {
      const { value } = step(at) as { value: Payout }
      const { post, undo } = postingsOfStep(at, value, "2026-11-02")
      for (const { source, postings } of post) {
        said.push(`${source} ${postings.map(({ account, amountCents }) => `${account} ${amountCents}`).join(" ")}`)
        for (const posting of postings)
          expect(posting.bankAccountId ?? null).toBe(posting.account === "bank" ? "b" : null)
      }
      said.push(...undo.map(({ source }) => `undone ${source}`))
      at = value
    }
    const { release, fail, retry, complete, return: back, takeBack } = steps
    for (const step of [release, fail, retry, release, complete, takeBack, complete, back, takeBack, back]) take(step)
    return said
  }

  test("a claim payment posts on completion and on return, not before", () => {
    expect(run("claim")).toEqual([
      "payout:p:completed claims_payable 10000 bank -10000",
      "undone payout:p:completed",
      "payout:p:completed:2 claims_payable 10000 bank -10000",
      "payout:p:returned bank 10000 claims_payable -10000",
      "undone payout:p:returned",
      "payout:p:returned:2 bank 10000 claims_payable -10000",
    ])
  })

  test("a refund reserves its credit at release and restores it on failure", () => {
    expect(run("refund")).toEqual([
      "payout:p:released:1 unallocated_receipts 10000 refunds_payable -10000",
      "undone payout:p:released:1",
      "payout:p:released:2 unallocated_receipts 10000 refunds_payable -10000",
      "payout:p:completed refunds_payable 10000 bank -10000",
      "undone payout:p:completed",
      "payout:p:completed:2 refunds_payable 10000 bank -10000",
      "payout:p:returned bank 10000 unallocated_receipts -10000",
      "undone payout:p:returned",
      "payout:p:returned:2 bank 10000 unallocated_receipts -10000",
    ])
  })
})

describe("a payee that differs from an earlier payment", () => {
  const was = {
    ...{ method: "eft" as const, payeeName: "S Dlamini", payeeBank: "FNB", payeeBranchCode: "250655" },
    ...{ payeeAccountNumber: "62001234567", payeeEmail: "" },
  }
  const of = (changes: Partial<Payout>) => ({ ...createPayout("pending"), formerPayee: was, ...changes })
  const later = (hours: number) => Temporal.Instant.from("2026-11-01T08:00:00Z").add({ hours })
  const released = (changes: Partial<Payout>, hours: number) =>
    release(of(changes), other, createLimits(0), later(hours), "ZAR")

  test("a changed payee needs a second user's confirmation, then a waiting period", () => {
    expect(released({}, 48)).toMatchObject({ refused: "PAYEE_WAITS", message: expect.stringMatching(/second person/) })
    const confirmed = { payeeConfirmedBy: "third" }
    expect(released(confirmed, 23)).toMatchObject({
      refused: "PAYEE_WAITS",
      message: expect.stringMatching(/24 hours/),
    })
    expect(released(confirmed, 24)).toMatchObject({ value: { status: "processing" } })
    const changed = { ...confirmed, payeeChangedBy: "changer", payeeChangedAt: later(10).toString() }
    expect(released(changed, 33)).toMatchObject({ refused: "PAYEE_WAITS" })
    expect(released(changed, 34)).toMatchObject({ value: { status: "processing" } })
  })

  test("a changed payee can be confirmed once, but not by the user who entered it", () => {
    const by = (userId: string, changes: Partial<Payout> = {}) => confirmPayee(of(changes), { userId, role: "manager" })
    expect(by(maker)).toMatchObject({ refused: "FOUR_EYES" })
    expect(by("other")).toMatchObject({
      value: { payeeConfirmedBy: "other" },
      facts: [{ type: "PayoutPayeeConfirmed" }],
    })
    expect(by("changer", { payeeChangedBy: "changer" })).toMatchObject({ refused: "FOUR_EYES" })
    expect(by(maker, { payeeChangedBy: "changer" })).toMatchObject({ value: { payeeConfirmedBy: maker } })
    expect(by("other", { payeeConfirmedBy: "third" })).toMatchObject({ refused: "WRONG_STATUS" })
    expect(by("other", { formerPayee: null })).toMatchObject({ refused: "WRONG_STATUS" })
    const shown = { ...of({}), batchStatus: null }
    expect(allowedPayoutActions(shown, other, createLimits(0))).toEqual(["changePayee", "confirmPayee", "cancel"])
  })

  test("a payee changed again needs a new confirmation, unless it matches the earlier payee", () => {
    const change = (payee: typeof was) =>
      changePayee(of({ payeeConfirmedBy: "third" }), payee, other, {
        earlier: { attempts: [{ payee: was, isReleased: true }], known: null },
        now,
      }) as { value: Payout }
    expect(change({ ...was, payeeAccountNumber: "62009999999" }).value).toMatchObject({
      formerPayee: was,
      payeeConfirmedBy: null,
    })
    expect(change({ ...was, payeeName: "s. dlamini" }).value).toMatchObject({ formerPayee: null })
  })
})

test.each([
  ["FNB", "250655", "62001234567", []],
  ["first national bank", "250655", "62001234567", []],
  ["Standard Bank", "051001", "012345678", []],
  ["Capitec", "470010", "1234567890", []],
  ["Protea Mutual", "250655", "62001234567", []],
  ["Protea Mutual", "990000", "123456", []],
  ["", "990000", "123456", ["payeeBank"]],
  ["FNB", "632005", "62001234567", ["payeeBranchCode"]],
  ["FNB", "999999", "62001234567", ["payeeBranchCode"]],
  ["Capitec Bank", "470010", "12345", ["payeeAccountNumber"]],
  ["Capitec Bank", "470010", "12345678901234", ["payeeAccountNumber"]],
  ["Capitec Bank", "470010", "1111111111", ["payeeAccountNumber"]],
  ["Bidvest Bank", "462005", "1234567890", []],
  ["Postbank", "462005", "1234567890", ["payeeBranchCode"]],
])("validates bank %s, branch %s, account %s", (payeeBank, payeeBranchCode, payeeAccountNumber, wrong) => {
  const details = { payeeName: "S Dlamini", method: "eft", payeeBank, payeeBranchCode, payeeAccountNumber }
  expect(payee.safeParse(details).error?.issues.map(({ path }) => path[0]) ?? []).toEqual(wrong)
})
