import fc from "fast-check"
import { expect, test } from "vitest"
import { isRefusal } from "../kernel/refusal.ts"
import { wholeShare } from "../kernel/shares.ts"
import type { Nominee } from "../members/nomination.ts"
import {
  type ClaimPayee,
  checkPayees,
  isOnlyPossiblePayee,
  type PayeeSet,
  type PayeeSubject,
  payeeAmounts,
  payeeWarnings,
  paymentsToPrepare,
  proposePayees,
  refuseEnteredPayee,
  refuseNewPayees,
} from "./claim-payees.ts"

const today = "2026-11-20"
const account = { bank: "FNB", branchCode: "250655", accountNumber: "62001234567" }
const anna: Nominee = {
  ...{ name: "Anna Nkosi", relationship: "spouse", idNumber: null, dateOfBirth: "1980-05-01", phone: "", email: "" },
  ...account,
  shareBasisPoints: 6_000,
}
const ben: Nominee = {
  ...anna,
  name: "Ben Nkosi",
  relationship: "child",
  dateOfBirth: "2010-06-01",
  shareBasisPoints: 4_000,
}
const death: PayeeSubject = {
  isOwnDeath: true,
  incidentOn: "2026-05-31",
  memberName: "Sipho Nkosi",
  nominees: [anna, ben],
  owningFund: "",
}
const named = (set: PayeeSet): PayeeSet => ({
  ...set,
  payees: set.payees.map((payee) => (payee.receivedBy === "self" ? payee : { ...payee, receiverName: "Cleo Nkosi" })),
})
const problemsOf = (set: PayeeSet, subject = death, role: "manager" | "underwriter" = "manager"): string[] => {
  const checked = checkPayees(set, subject, { role }, today)
  if (!isRefusal(checked)) return []
  if (checked.refused !== "INVALID") return [checked.refused]
  return (checked.data as { fields: { path: string; message: string }[] }).fields.map(
    ({ path, message }) => `${path}: ${message}`,
  )
}

test("the nomination is proposed for the member's own death, with a guardian for a minor", () => {
  const proposed = proposePayees(death)
  expect(proposed).toMatchObject({
    basis: "nomination",
    payees: [
      { name: "Anna Nkosi", shareBasisPoints: 6_000, receivedBy: "self", accountNumber: "62001234567" },
      { name: "Ben Nkosi", shareBasisPoints: 4_000, receivedBy: "guardian" },
    ],
  })
  expect(problemsOf(proposed)).toEqual(["payees.1.receiverName: Enter the guardian's name"])
  expect(problemsOf(named(proposed))).toEqual([])
})

test("without a nomination the estate is proposed, and for other claims the member", () => {
  expect(proposePayees({ ...death, nominees: null })).toMatchObject({
    basis: "estate",
    payees: [{ name: "Estate of Sipho Nkosi", shareBasisPoints: wholeShare }],
  })
  const dependent = { ...death, isOwnDeath: false }
  expect(proposePayees(dependent)).toMatchObject({ basis: "member", payees: [{ name: "Sipho Nkosi" }] })
  expect(problemsOf(proposePayees(dependent), dependent)).toEqual([])
  expect(problemsOf(proposePayees({ ...death, nominees: null }))).toEqual([
    "basis: The member has a nomination on the incident day",
  ])
})

test("a retirement fund that owns the policy is the only payee for the member's own death", () => {
  const owned = { ...death, owningFund: "Nkosi Provident Fund" }
  const proposed = proposePayees(owned)
  expect(proposed).toMatchObject({
    basis: "fund",
    payees: [{ name: "Nkosi Provident Fund", relationship: "organisation", shareBasisPoints: wholeShare }],
  })
  expect(problemsOf(proposed, owned)).toEqual([])
  const owns = "basis: Nkosi Provident Fund owns the policy: choose the fund or a decision"
  expect(problemsOf(named(proposePayees(death)), owned)).toEqual([owns])
  expect(problemsOf({ ...proposed, basis: "decision", reason: "Court order" }, owned, "underwriter")).toEqual([])
  expect(problemsOf(proposed)).toEqual(["basis: No retirement fund owns the policy"])
  const other = { ...proposed, payees: [{ ...proposed.payees[0]!, name: "Another Fund" }] }
  expect(problemsOf(other, owned)).toEqual(["basis: The fund is the only payee"])
  const dependent = { ...owned, isOwnDeath: false }
  expect(proposePayees(dependent)).toMatchObject({ basis: "member" })
  expect(problemsOf(proposed, dependent)).toEqual(["basis: The benefit is payable to the member"])
})

test("a payee who turned 18 on the day after the incident is a minor, one day later is not", () => {
  const born = (dateOfBirth: string): PayeeSet => {
    const nominees = [{ ...anna, shareBasisPoints: wholeShare, dateOfBirth }]
    const proposal = proposePayees({ ...death, nominees })
    return { ...proposal, payees: proposal.payees.map((payee): ClaimPayee => ({ ...payee, receivedBy: "self" })) }
  }
  const subject = (dateOfBirth: string) => ({
    ...death,
    nominees: [{ ...anna, shareBasisPoints: wholeShare, dateOfBirth }],
  })
  expect(problemsOf(born("2008-06-01"), subject("2008-06-01"))).toEqual([
    "payees.0.receivedBy: Anna Nkosi was under 18 on the incident day: choose a guardian or a trust",
  ])
  expect(problemsOf(born("2008-05-31"), subject("2008-05-31"))).toEqual([])
})

test("other payees than nominated need an underwriter's decision with a reason", () => {
  const proposed = named(proposePayees(death))
  const other = { ...proposed, payees: [{ ...proposed.payees[0]!, shareBasisPoints: wholeShare }] }
  expect(problemsOf(other)).toEqual([
    "basis: The payees differ from the nomination. Choose a decision and give the reason",
  ])
  expect(problemsOf({ ...other, basis: "decision" }, death, "underwriter")).toEqual(["reason: Enter the reason"])
  const decided = { ...other, basis: "decision" as const, reason: "Ben died before his father" }
  expect(problemsOf(decided)).toEqual(["NEEDS_UNDERWRITER"])
  expect(problemsOf(decided, death, "underwriter")).toEqual([])
})

test("shares of 99.99 % and an empty set are refused", () => {
  const set = { ...proposePayees({ ...death, isOwnDeath: false }), basis: "decision" as const, reason: "Part" }
  const less = { ...set, payees: [{ ...set.payees[0]!, shareBasisPoints: 9_999 }] }
  expect(problemsOf(less)).toEqual(["payees: The shares must add up to 100.00 %: 0.01 % is missing"])
  expect(problemsOf({ ...set, payees: [] })).toEqual(["payees: Add a payee"])
})

test("payees are recorded from submission to approval, until the first payment", () => {
  const codes = (["draft", "submitted", "pending_underwriter", "approved", "paid", "rejected"] as const).map(
    (status) => refuseNewPayees({ status }, false)?.refused ?? null,
  )
  expect(codes).toEqual(["WRONG_STATUS", null, null, null, "WRONG_STATUS", "WRONG_STATUS"])
  expect(refuseNewPayees({ status: "approved" }, true)?.refused).toBe("WRONG_STATUS")
})

const payees = named(proposePayees(death)).payees.map((payee, at) => ({ ...payee, id: `payee-${at}` }))
const approved = { status: "approved" as const, claimType: "death" as const, approvedAmountCents: 100_01 }

test("prepares a payment for each payee without one, and names payees without an account", () => {
  const prepared = (paid: string[], method: "eft" | "cheque" = "eft", of = payees) => {
    const { payments, refused } = paymentsToPrepare(approved, of, new Set(paid), method)
    return [payments.map(({ payee, amountCents }) => [payee.name, amountCents]), refused]
  }
  expect(prepared([])).toEqual([
    [
      ["Anna Nkosi", 60_01],
      ["Ben Nkosi", 40_00],
    ],
    [],
  ])
  expect(prepared(["payee-0"])).toEqual([[["Ben Nkosi", 40_00]], []])
  expect(prepared(["payee-0", "payee-1"])).toEqual([[], ["Every payee already has a payment."]])
  const unknown = payees.map((payee) => ({ ...payee, bank: "", branchCode: "", accountNumber: "" }))
  expect(prepared(["payee-0"], "eft", unknown)).toEqual([[], ["Ben Nkosi has no bank account."]])
  expect(prepared(["payee-0"], "cheque", unknown)).toEqual([[["Ben Nkosi", 40_00]], []])
})

test("prepares nothing for a claim that is not approved or has no payees", () => {
  const refusedFor = (status: "paid" | "approved", of: typeof payees | null) =>
    paymentsToPrepare({ ...approved, status }, of, new Set(), "eft").refused
  expect(refusedFor("paid", payees)).toEqual(["The claim is not approved, or it is paid."])
  expect(refusedFor("approved", null)).toEqual(["Record the payees of this death claim before you pay it."])
  const medical = { ...approved, claimType: "medical" as const }
  expect(paymentsToPrepare(medical, null, new Set(), "eft").refused).toEqual(["The claim has no recorded payees."])
})

test("refuses an entered payee for a death claim without payees, and for any claim with them", () => {
  const refusalOf = (claimType: "death" | "medical", hasPayees: boolean, hasPayments = false) =>
    refuseEnteredPayee({ claimType }, { hasPayees, hasPayments })?.refused ?? null
  expect(refusalOf("death", false)).toBe("PAYEES_NEEDED")
  expect(refusalOf("death", true)).toBe("WRONG_STATUS")
  expect(refusalOf("medical", true)).toBe("WRONG_STATUS")
  expect(refusalOf("medical", false)).toBeNull()
  // Its payees can no longer be recorded.
  expect(refusalOf("death", false, true)).toBeNull()
})

test("only the member's and the fund's proposal has the account of the last payment", () => {
  const account = { bank: "FNB", branchCode: "250655", accountNumber: "62009998887", email: "t@example.com" }
  const proposedFor = (subject: Partial<PayeeSubject>) => proposePayees({ ...death, ...subject }, account)
  for (const subject of [{ isOwnDeath: false }, { owningFund: "Mill Provident Fund" }]) {
    expect(isOnlyPossiblePayee(proposedFor(subject))).toBe(true)
    expect(proposedFor(subject).payees).toMatchObject([account])
  }
  expect(isOnlyPossiblePayee(proposedFor({}))).toBe(false)
  expect(proposedFor({}).payees[0]).toMatchObject({ accountNumber: "62001234567" })
  expect(isOnlyPossiblePayee(proposedFor({ nominees: null }))).toBe(false)
})

test("payments prepared in any order and number never exceed the approved amount, and reach it", () => {
  const shares = fc
    .uniqueArray(fc.integer({ min: 1, max: wholeShare - 1 }), { maxLength: 6 })
    .map((cuts) => [0, ...cuts.sort((one, other) => one - other), wholeShare])
    .map((cuts) => cuts.slice(1).map((cut, at) => cut - cuts[at]!))
  fc.assert(
    fc.property(shares, fc.integer({ min: 1, max: 10_000_000 }), fc.nat(63), (each, cents, mask) => {
      const all = each.map((shareBasisPoints, at) => ({ ...payees[0]!, id: `${at}`, shareBasisPoints }))
      const claim = { ...approved, approvedAmountCents: cents }
      const amounts = payeeAmounts(cents, all) as number[]
      const first = new Set(all.filter((_, at) => mask & (1 << at)).map(({ id }) => id))
      const later = paymentsToPrepare(claim, all, first, "eft").payments
      const before = all.reduce((sum, { id }, at) => sum + (first.has(id) ? amounts[at]! : 0), 0)
      expect(before + later.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(cents)
    }),
  )
})

test("warns of users with a payee's name or e-mail address, accounts of other members' claims and nominees, and late nominations", () => {
  const claims = [{ id: "c", number: "CLM-2026-000007" }]
  const members = [{ id: "m", number: "M-000009" }]
  const warnings = payeeWarnings({
    sameNames: [{ name: "Anna Nkosi", act: "decided this claim" }],
    sameEmails: [{ name: "Ben Dube", act: "captured this claim" }],
    sameAccounts: [{ payee: "Ben Nkosi", claims, members }],
    isRecordedLater: true,
    isChangedSince: false,
  })
  expect(warnings).toEqual([
    { sentence: "The nomination was recorded after the incident date.", claims: [], members: [] },
    { sentence: "Anna Nkosi has the same name as a user who decided this claim.", claims: [], members: [] },
    {
      sentence: "A payee has the e-mail address of Ben Dube, a user who captured this claim.",
      claims: [],
      members: [],
    },
    { sentence: "The account of Ben Nkosi is also on another member's claim:", claims, members: [] },
    { sentence: "The account of Ben Nkosi is also a nominee's of another member:", claims: [], members },
  ])
})
