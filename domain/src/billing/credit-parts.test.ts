import { expect, test } from "vitest"
import { fc } from "../../test/property.ts"
import { isRefusal } from "../kernel/refusal.ts"
import {
  type Credit,
  type CreditableInvoice,
  type CreditRequest,
  calculateCredit,
  distributeCents,
} from "./credit-parts.ts"
import { invoiceTotals } from "./invoice-totals.ts"

const vatRatesTried = [
  { class: "standard" as const, percent: 15 },
  { class: "standard" as const, percent: 14 },
  { class: "exempt" as const, percent: 0 },
]
const line = fc.record({ unitCents: fc.integer({ min: -20_000, max: 99_999 }), vat: fc.constantFrom(...vatRatesTried) })

function createCreditableInvoice(
  lines: { unitCents: number; vat: (typeof vatRatesTried)[number] }[],
  off: number,
): CreditableInvoice {
  const counted = lines.map((one) => ({ quantity: 1, ...one }))
  const { subtotalCents } = invoiceTotals(counted, 15)
  const { discountCents, vatCents, totalCents } = invoiceTotals(counted, 15, Math.min(off, subtotalCents))
  return {
    ...{ subtotalCents, discountCents, vatCents, totalCents, creditedNetCents: 0, creditedVatCents: 0 },
    ...{ writtenOffNetCents: 0, writtenOffVatCents: 0 },
    lines: lines.map(({ unitCents, vat }, index) => ({
      ...{ id: String(index), totalCents: unitCents, correctedCents: 0, creditedVatCents: 0, vat },
    })),
  }
}

function applyCredit(invoice: CreditableInvoice, kind: "correction" | "concession", taken: Credit): CreditableInvoice {
  const of = (id: string) => taken.lines.find(({ invoiceLineId }) => invoiceLineId === id)
  return {
    ...invoice,
    creditedNetCents: invoice.creditedNetCents + taken.netCents,
    creditedVatCents: invoice.creditedVatCents + taken.vatCents,
    lines: invoice.lines.map((one) => ({
      ...one,
      correctedCents: one.correctedCents + (kind === "correction" ? (of(one.id)?.netCents ?? 0) : 0),
      creditedVatCents: one.creditedVatCents + (of(one.id)?.vatCents ?? 0),
    })),
  }
}

const sum = (amounts: number[]) => amounts.reduce((total, cents) => total + cents, 0)
const creditableCentsOf = (invoice: CreditableInvoice) =>
  invoice.totalCents - invoice.creditedNetCents - invoice.creditedVatCents

test("credits of any kind add up to their lines and end at the invoice total", () => {
  const asked = fc.oneof(
    fc.record({ kind: fc.constantFrom("correction", "concession"), amountCents: fc.integer({ min: 1, max: 60_000 }) }),
    fc.record({ place: fc.nat({ max: 4 }), share: fc.integer({ min: 1, max: 100 }) }),
  )
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 30_000 }),
      fc.array(asked, { maxLength: 8 }),
      (lines, off, all) => {
        fc.pre(sum(lines.map(({ unitCents }) => unitCents)) > 0)
        let invoice = createCreditableInvoice(lines, off)
        fc.pre(invoice.totalCents > 0)
        const take = (one: CreditRequest) => {
          const taken = calculateCredit(invoice, one)
          if (isRefusal(taken)) return taken
          const { netCents, vatCents, totalCents, discountCents } = taken as Credit
          expect(netCents + vatCents).toBe(totalCents)
          expect(totalCents).toBeLessThanOrEqual(creditableCentsOf(invoice))
          expect(sum((taken as Credit).lines.map((part) => part.netCents))).toBe(netCents + discountCents)
          expect(sum((taken as Credit).lines.map((part) => part.vatCents))).toBe(vatCents)
          invoice = applyCredit(invoice, one.kind, taken as Credit)
          return taken
        }
        for (const one of all) {
          const left = creditableCentsOf(invoice)
          if ("amountCents" in one) {
            const taken = take(one as CreditRequest)
            expect(isRefusal(taken)).toBe(one.amountCents > left)
          } else {
            const of = invoice.lines[one.place % invoice.lines.length]!
            const netCents = Math.ceil(((of.totalCents - of.correctedCents) * one.share) / 100)
            take({ kind: "correction", lines: [{ invoiceLineId: of.id, netCents }] })
          }
        }
        if (creditableCentsOf(invoice) > 0) {
          const last = take({ kind: "correction", amountCents: null })
          expect((last as Credit).whole).toBe(true)
          expect(invoice.lines.map(({ totalCents, correctedCents }) => totalCents - correctedCents)).toEqual(
            invoice.lines.map(() => 0),
          )
        }
        expect(creditableCentsOf(invoice)).toBe(0)
        expect(invoice.creditedVatCents).toBe(invoice.vatCents)
        expect(take({ kind: "correction", amountCents: null })).toMatchObject({ refused: "NOTHING_TO_CREDIT" })
      },
    ),
  )
})

test("correcting a line also credits its VAT and deducts its share of the discount", () => {
  const invoice = createCreditableInvoice(
    [
      { unitCents: 350_00, vat: vatRatesTried[0]! },
      { unitCents: 350_00, vat: vatRatesTried[0]! },
    ],
    70_00,
  )
  const taken = calculateCredit(invoice, {
    kind: "correction",
    lines: [{ invoiceLineId: "1", netCents: 350_00 }],
  }) as Credit
  expect(taken).toEqual({
    ...{ netCents: 315_00, vatCents: 52_50, totalCents: 367_50, discountCents: 35_00, whole: false },
    lines: [{ invoiceLineId: "1", netCents: 350_00, vatCents: 52_50 }],
  })
})

test("a correction does not credit again what a concession credited", () => {
  const invoice = createCreditableInvoice([{ unitCents: 350_00, vat: vatRatesTried[2]! }], 0)
  const given = calculateCredit(invoice, { kind: "concession", amountCents: 50_00 }) as Credit
  expect(given).toMatchObject({ totalCents: 50_00, whole: false })
  const rest = calculateCredit(applyCredit(invoice, "concession", given), {
    kind: "correction",
    lines: [{ invoiceLineId: "0", netCents: 350_00 }],
  })
  expect(rest).toMatchObject({ totalCents: 300_00, discountCents: 50_00, whole: true })
})

test("a correction cannot exceed the uncorrected rest of a line", () => {
  const invoice = createCreditableInvoice(
    [
      { unitCents: 100, vat: vatRatesTried[2]! },
      { unitCents: 900, vat: vatRatesTried[2]! },
    ],
    0,
  )
  const take = (netCents: number) =>
    calculateCredit(invoice, { kind: "correction", lines: [{ invoiceLineId: "0", netCents }] })
  expect(take(101)).toMatchObject({ refused: "CREDIT_TOO_LARGE", data: { leftCents: 100 } })
  expect(take(0)).toMatchObject({ refused: "NOTHING_TO_CREDIT" })
})

test("shares of an amount add up to the amount", () => {
  expect(distributeCents(100, [1, 1, 1])).toEqual([33, 34, 33])
  expect(distributeCents(5, [0, 0])).toEqual([5, 0])
})

test("a written-off amount cannot be credited until the write-off is reversed", () => {
  const invoice = {
    ...createCreditableInvoice([{ unitCents: 100_00, vat: vatRatesTried[0]! }], 0),
    writtenOffNetCents: 50_00,
    writtenOffVatCents: 7_50,
  }
  expect(calculateCredit(invoice, { kind: "correction", amountCents: 57_51 })).toMatchObject({
    refused: "CREDIT_TOO_LARGE",
    data: { leftCents: 57_50 },
  })
  const taken = calculateCredit(invoice, { kind: "correction", amountCents: null }) as Credit
  expect(taken).toMatchObject({ netCents: 50_00, vatCents: 7_50, discountCents: 0, whole: false })
  const reversed = { ...applyCredit(invoice, "correction", taken), writtenOffNetCents: 0, writtenOffVatCents: 0 }
  expect(calculateCredit(reversed, { kind: "correction", amountCents: null })).toMatchObject({
    totalCents: 57_50,
    whole: true,
  })
})
