import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { debitCreditOf } from "./account.ts"
import { isBalanced, type LedgerEntry, reversalOf } from "./entry.ts"
import * as rules from "./posting-rules.ts"

const event = { on: "2026-11-01", policy: { policyId: "p", groupId: "g" } }
const createOwnPremium = (netCents: number) => [{ month: "2026-11-01", netCents, earnedOn: event.on }]
const threeMonths = [
  { month: "2026-10-01", netCents: 200, earnedOn: "2026-10-01" },
  ...createOwnPremium(300),
  { month: "2026-12-01", netCents: 500, earnedOn: null },
]
const earned = { ...event, invoiceId: "i3", creditNoteId: null, number: "INV-3", postedOn: event.on }
const confirmed = { accountId: "b", on: "2026-11-01", text: "FEE" }
const centsByAccount = (entry: LedgerEntry) => Object.fromEntries(entry.postings.map((p) => [p.account, p.amountCents]))

/** The expected postings of each event of the posting table; debit positive, credit negative. */
const entryCases: [string, LedgerEntry, Record<string, number>][] = [
  [
    "invoice sent",
    rules.invoiceSent({ ...event, invoiceId: "i", number: "INV-1", parts: createOwnPremium(1000), vatCents: 150 }),
    { premium_debtors: 1150, premium_income: -1000, vat_output: -150 },
  ],
  [
    "invoice of an exempt product sent",
    rules.invoiceSent({ ...event, invoiceId: "i", number: "INV-1", parts: createOwnPremium(1000), vatCents: 0 }),
    { premium_debtors: 1000, premium_income: -1000 },
  ],
  [
    "invoice with arrears of October and premium of December",
    rules.invoiceSent({ ...event, invoiceId: "i3", number: "INV-3", parts: threeMonths, vatCents: 150 }),
    { premium_debtors: 1150, accrued_premium: -200, premium_income: -300, unearned_premium: -500, vat_output: -150 },
  ],
  [
    "premium of December on its first day",
    rules.premiumEarned({ ...earned, on: "2026-12-01", month: "2026-12-01", netCents: 500 }),
    { unearned_premium: 500, premium_income: -500 },
  ],
  [
    "premium of October billed in November",
    rules.premiumEarned({ ...earned, on: "2026-10-01", month: "2026-10-01", netCents: 200 }),
    { accrued_premium: 200, premium_income: -200 },
  ],
  [
    "premium of December that a credit note of November takes back",
    rules.premiumEarned({ ...earned, creditNoteId: "c", on: "2026-12-01", month: "2026-12-01", netCents: -500 }),
    { unearned_premium: -500, premium_income: 500 },
  ],
  [
    "credit note",
    rules.creditNote({
      ...event,
      creditNoteId: "c",
      number: "CN-1",
      invoiceId: "i",
      parts: createOwnPremium(-100),
      vatCents: 15,
    }),
    { premium_income: 100, vat_output: 15, premium_debtors: -115 },
  ],
  [
    "credit note for a later month",
    rules.creditNote({
      ...event,
      ...{ creditNoteId: "c2", number: "CN-2", invoiceId: "i", vatCents: 15 },
      parts: [{ month: "2026-12-01", netCents: -100, earnedOn: null }],
    }),
    { unearned_premium: 100, vat_output: 15, premium_debtors: -115 },
  ],
  [
    "receipt by transfer",
    rules.receiptTaken({ ...event, receiptId: "r", number: "REC-1", paidInto: "bank", amountCents: 500 }),
    { bank: 500, unallocated_receipts: -500 },
  ],
  [
    "receipt of cash, a cheque or a card",
    rules.receiptTaken({ ...event, receiptId: "r2", number: "REC-2", paidInto: "undeposited", amountCents: 500 }),
    { undeposited: 500, unallocated_receipts: -500 },
  ],
  [
    "receipt that reached the bank",
    rules.receiptDeposited({
      ...{ ...event, depositId: "d", receiptId: "r2", number: "REC-2", amountCents: 500 },
      ...{ paidInto: "undeposited" as const, takenOn: null, bankAccountId: null },
    }),
    { bank: 500, undeposited: -500 },
  ],
  [
    "allocation",
    rules.allocation({
      ...event,
      allocationId: "a",
      receiptId: "r",
      receiptNumber: "REC-1",
      invoiceNumber: "INV-1",
      amountCents: 500,
    }),
    { unallocated_receipts: 500, premium_debtors: -500 },
  ],
  [
    "claim approved",
    rules.claimApproved({ ...event, claimId: "k", nth: 1, number: "CLM-1", amountCents: 900, reserveCents: 0 }),
    { claims_expense: 900, claims_payable: -900 },
  ],
  [
    "claim approved below its reserve",
    rules.claimApproved({ ...event, claimId: "k", nth: 2, number: "CLM-1", amountCents: 900, reserveCents: 1_000 }),
    { claims_outstanding: 1_000, claims_expense: -100, claims_payable: -900 },
  ],
  [
    "reserve of a claim changed",
    rules.claimReserveChanged({ ...event, claimId: "k", seq: 2, number: "CLM-1", changeCents: -300 }),
    { claims_expense: -300, claims_outstanding: 300 },
  ],
  [
    "claim payout completed",
    rules.claimPayoutCompleted({ ...event, payoutId: "o", nth: 1, claimNumber: "CLM-1", amountCents: 900 }),
    { claims_payable: 900, bank: -900 },
  ],
  [
    "refund released",
    rules.refundReleased({ ...event, payoutId: "f", attempt: 1, reference: "PAY-1", amountCents: 70 }),
    { unallocated_receipts: 70, refunds_payable: -70 },
  ],
  [
    "refund completed",
    rules.refundCompleted({ ...event, payoutId: "f", nth: 1, reference: "PAY-1", amountCents: 70 }),
    { refunds_payable: 70, bank: -70 },
  ],
  [
    "write-off",
    rules.writeOff({ ...event, writeOffId: "w", invoiceId: "i", invoiceNumber: "INV-1", netCents: 26, vatCents: 4 }),
    { write_offs: 26, vat_output: 4, premium_debtors: -30 },
  ],
  [
    "first statement",
    rules.bankOpening({ on: "2026-11-01", accountId: "b", name: "Premium account", amountCents: 400 }),
    { bank: 400, opening_balances: -400 },
  ],
  [
    "bank charge",
    rules.bankLineConfirmed({ ...confirmed, placementId: "p1", kind: "charge", amountCents: -75 }),
    { bank: -75, bank_charges: 75 },
  ],
  [
    "interest",
    rules.bankLineConfirmed({ ...confirmed, placementId: "p2", kind: "interest", amountCents: 12 }),
    { bank: 12, interest_received: -12 },
  ],
]

describe("ledger postings", () => {
  test.each(entryCases)("for %s equal the posting table", (_name, entry, expected) => {
    expect(centsByAccount(entry)).toEqual(expected)
    expect(isBalanced(entry)).toBe(true)
  })

  test("have a unique source for each event", () => {
    const sources = entryCases
      .filter(([name]) => name !== "invoice of an exempt product sent")
      .map(([, entry]) => entry.source)
    expect(new Set(sources).size).toBe(sources.length)
  })

  test.each(entryCases)("for %s are undone by their reversal", (_name, entry) => {
    const undone = reversalOf(entry, "2026-12-01", "made twice")
    expect(isBalanced(undone)).toBe(true)
    expect(undone).toMatchObject({ kind: "reversal", effectiveOn: "2026-12-01", source: `${entry.source}:reversed` })
    for (const posting of entry.postings) {
      expect(centsByAccount(undone)[posting.account]! + posting.amountCents).toBe(0)
    }
  })

  test("balance for any amounts", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 0, max: 1e12 }), (netCents, vatCents) => {
        expect(
          isBalanced(
            rules.invoiceSent({ ...event, invoiceId: "i", number: "n", parts: createOwnPremium(netCents), vatCents }),
          ),
        ).toBe(true)
      }),
    )
  })
})

describe("posting refuses an entry", () => {
  const good = rules.receiptTaken({ ...event, receiptId: "r", number: "REC-1", paidInto: "bank", amountCents: 500 })
  const change = (index: number, posting: Partial<LedgerEntry["postings"][number]>): LedgerEntry => ({
    ...good,
    postings: good.postings.map((p, i) => (i === index ? { ...p, ...posting } : p)),
  })
  test.each([
    ["out of balance", change(0, { amountCents: 501 })],
    ["with half a cent", change(0, { amountCents: 499.5 })],
    ["with one posting", { ...good, postings: good.postings.slice(1) }],
    ["without a policy on a per-policy account", change(1, { policy: null })],
    ["of nothing", rules.receiptTaken({ ...event, receiptId: "r", number: "REC-1", paidInto: "bank", amountCents: 0 })],
  ])("%s", (_name, entry) => {
    expect(isBalanced(entry)).toBe(false)
  })
})

test("a balance is a debit or a credit by its sign", () => {
  expect(debitCreditOf(5)).toEqual({ debitCents: 5, creditCents: 0 })
  expect(debitCreditOf(-5)).toEqual({ debitCents: 0, creditCents: 5 })
})
