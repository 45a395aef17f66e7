import fc from "fast-check"
import { expect, test } from "vitest"
import { claimApproved, claimReserveChanged } from "../ledger/posting-rules.ts"
import { createClaim } from "./claim.samples.ts"
import type { Claim } from "./claim.ts"
import { type Reserve, type ReserveMovement, reserveCause, reserveMovements, setReserve } from "./reserve.ts"

const policyId = "policy"
const move = (last: Reserve | null, ...rest: [Parameters<typeof reserveMovements>[1], number]) =>
  reserveMovements(last, rest[0], { policyId, proposedCents: rest[1] })

test.each<[string, Claim["status"], Claim["status"], ReturnType<typeof reserveCause>]>([
  ["a submission", "draft", "submitted", "submitted"],
  ["an approval", "pending_policy_holder", "approved", "approved"],
  ["a rejection before routing", "under_review", "rejected", "rejected"],
  ["a rejection by an approver", "pending_underwriter", "rejected", "rejected"],
  ["a withdrawal", "submitted", "withdrawn", "withdrawn"],
  ["an appeal", "rejected", "under_review", "reopened"],
  ["a withdrawn approval", "approved", "under_review", "approval_withdrawn"],
  ["the start of a review", "submitted", "under_review", null],
  ["the first approval", "pending_group_admin", "pending_underwriter", null],
  ["a payment", "approved", "paid", null],
  ["a returned payment", "paid", "approved", null],
])("names the cause of %s, or none", (_, from, to, cause) =>
  expect(reserveCause(createClaim({ status: from }), createClaim({ status: to }))).toBe(cause))

test("an edit, another policy and accepted facts move the reserve of a submitted claim; other changes do not", () => {
  const claim = createClaim()
  const causeOf = (changes: Partial<Claim>) => reserveCause(claim, createClaim(changes))
  expect(causeOf({ requestedAmountCents: 1 })).toBe("changed")
  expect(causeOf({ policyId: "another" })).toBe("changed")
  expect(causeOf({ coverAcceptedAt: "2026-11-02T08:00:00Z" })).toBe("changed")
  expect(causeOf({ reviewedBy: "max", requestedDocuments: ["other"], version: 4 })).toBeNull()
})

test("a manager's amount remains after an edit and a withdrawn approval, and ends with a rejection", () => {
  const [submitted] = move(null, "submitted", 100)
  const set = { cents: 70, reason: "Quote" }
  const [isSet] = reserveMovements(submitted!, "set", { policyId, proposedCents: 100, set })
  expect(isSet).toEqual({
    ...{ seq: 2, policyId, cause: "set", changeCents: -30, reserveCents: 70, setCents: 70, reason: "Quote" },
  })
  expect(move(isSet!, "changed", 250)).toEqual([])
  const [approved] = move(isSet!, "approved", 0)
  expect(approved).toMatchObject({ changeCents: -70, reserveCents: 0, setCents: 70 })
  expect(move(approved!, "approval_withdrawn", 250)).toMatchObject([
    { changeCents: 70, reserveCents: 70, setCents: 70 },
  ])
  const [rejected] = move(isSet!, "rejected", 0)
  expect(move(rejected!, "reopened", 250)).toMatchObject([{ changeCents: 250, reserveCents: 250, setCents: null }])
})

test("a manager's amount of 0 ends with a rejection too", () => {
  const [submitted] = move(null, "submitted", 100)
  const [isSet] = reserveMovements(submitted!, "set", {
    ...{ policyId, proposedCents: 100, set: { cents: 0, reason: "Not insured" } },
  })
  const [rejected] = move(isSet!, "rejected", 0)
  expect(rejected).toMatchObject({ changeCents: 0, reserveCents: 0, setCents: null })
  expect(move(rejected!, "reopened", 250)).toMatchObject([{ reserveCents: 250, setCents: null }])
})

test("a withdrawn approval restores the released reserve, and then follows the amount proposed now", () => {
  const [submitted] = move(null, "submitted", 100)
  const [approved] = move(submitted!, "approved", 0)
  expect(move(approved!, "approval_withdrawn", 40)).toMatchObject([
    { cause: "approval_withdrawn", changeCents: 100, reserveCents: 100 },
    { cause: "changed", changeCents: -60, reserveCents: 40 },
  ])
})

test("a claim that moves to another policy releases its reserve there", () => {
  const [submitted] = move(null, "submitted", 100)
  expect(reserveMovements(submitted!, "changed", { policyId: "another", proposedCents: 80 })).toMatchObject([
    { seq: 2, policyId, changeCents: -100, reserveCents: 0 },
    { seq: 3, policyId: "another", changeCents: 80, reserveCents: 80 },
  ])
})

test("a claim that was approved before claims had reserves gets one when its approval is withdrawn", () => {
  expect(move(null, "approved", 0)).toEqual([])
  expect(move(null, "approval_withdrawn", 40)).toMatchObject([{ seq: 1, cause: "changed", changeCents: 40 }])
})

test.each([
  ["a draft", "draft", null, 5, "Quote", "WRONG_STATUS"],
  ["an approved claim", "approved", null, 5, "Quote", "WRONG_STATUS"],
  ["a missing reason", "submitted", null, 5, " ", "INVALID"],
  ["the same amount", "submitted", 5, 5, "Quote", "INVALID"],
  ["the proposed amount that is reserved already", "submitted", null, null, "Quote", "INVALID"],
] as const)("setting a reserve refuses %s", (_, status, setCents, amountCents, reason, refused) =>
  expect(
    setReserve(status, { reserveCents: setCents ?? 9, setCents, proposedCents: 9 }, { amountCents, reason }),
  ).toMatchObject({ refused }))

test("a reserve follows a proposed amount that changed with other claims", () =>
  expect(
    setReserve(
      "submitted",
      { reserveCents: 9, setCents: null, proposedCents: 4 },
      { amountCents: null, reason: "Less" },
    ),
  ).toEqual({ cause: "cleared", set: { cents: null, reason: "Less" } }))

const amount = fc.integer({ min: 0, max: 1_000_00 })
const step = fc.oneof(
  fc.record({ act: fc.constant("edit" as const), proposed: amount, policy: fc.constantFrom("a", "b") }),
  fc.record({ act: fc.constant("set" as const), cents: fc.option(amount) }),
  fc.record({ act: fc.constant("approve" as const), cents: amount.map((cents) => cents + 1) }),
  fc.record({
    act: fc.constantFrom("reject" as const, "reopen" as const, "withdrawApproval" as const),
    proposed: amount,
  }),
)

test("in any history, claims outstanding equal the reserve on each policy, and the expense is what is reserved or approved", () => {
  fc.assert(
    fc.property(amount, fc.array(step, { maxLength: 25 }), (proposed, steps) => {
      let status: Claim["status"] = "submitted"
      let policy = "a"
      let last: Reserve | null = null
      let approvedCents = 0
      const sums = new Map<string, number>()
      let approval: ReturnType<typeof claimApproved> | null = null
      const add = (entry: ReturnType<typeof claimApproved>, sign = 1) => {
        for (const { account, amountCents, policy } of entry.postings) {
          for (const key of [account, `${account} ${policy!.policyId}`])
            sums.set(key, (sums.get(key) ?? 0) + sign * amountCents)
        }
      }
      const head = { on: "2026-11-02", claimId: "c", number: "CLM-1" }
      const play = (
        cause: Parameters<typeof reserveMovements>[1],
        cents: number,
        set?: { cents: number | null; reason: string },
      ) => {
        const reserveCents: number = last?.reserveCents ?? 0
        const movements: ReserveMovement[] = reserveMovements(last, cause, {
          policyId: policy,
          proposedCents: cents,
          ...(set && { set }),
        })
        if (cause === "approved") {
          approval = claimApproved({
            ...head,
            policy: { policyId: policy, groupId: "g" },
            nth: 1,
            amountCents: approvedCents,
            reserveCents,
          })
          add(approval)
        }
        if (cause === "approval_withdrawn") add(approval!, -1)
        for (const { cause, seq, changeCents, policyId } of movements) {
          if (cause === "approved" || cause === "approval_withdrawn") continue
          add(claimReserveChanged({ ...head, policy: { policyId, groupId: "g" }, seq, changeCents }))
        }
        last = movements.at(-1) ?? last
      }
      play("submitted", proposed)
      for (const step of steps) {
        const isOpen = status === "submitted"
        if (step.act === "edit" && isOpen) {
          policy = step.policy
          play("changed", step.proposed)
        } else if (step.act === "set" && isOpen) {
          play(step.cents === null ? "cleared" : "set", proposed, { cents: step.cents, reason: "Quote" })
        } else if (step.act === "approve" && isOpen) {
          status = "approved"
          approvedCents = step.cents
          play("approved", 0)
        } else if (step.act === "reject" && isOpen) {
          status = "rejected"
          play("rejected", 0)
        } else if (step.act === "reopen" && status === "rejected") {
          status = "submitted"
          play("reopened", step.proposed)
        } else if (step.act === "withdrawApproval" && status === "approved") {
          status = "submitted"
          approvedCents = 0
          play("approval_withdrawn", step.proposed)
        }
        const reserve: number = (last as Reserve | null)!.reserveCents
        if (status !== "submitted") expect(reserve).toBe(0)
        expect(sums.get("claims_outstanding") ?? 0).toBe(-reserve + 0)
        for (const of of ["a", "b"])
          expect(sums.get(`claims_outstanding ${of}`) ?? 0).toBe((of === policy ? -reserve : 0) + 0)
        expect(sums.get("claims_expense") ?? 0).toBe(reserve + approvedCents)
        expect(sums.get("claims_payable") ?? 0).toBe(-approvedCents + 0)
      }
    }),
    { numRuns: 500 },
  )
})
