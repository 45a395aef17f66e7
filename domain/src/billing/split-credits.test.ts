import { describe, expect, test } from "vitest"
import { fc } from "../../test/property.ts"
import { percentOf } from "../kernel/money.ts"
import { isRefusal } from "../kernel/refusal.ts"
import { type Credit, type CreditableInvoice, calculateCredit } from "./credit-parts.ts"
import type { BillCredit } from "./run-bill.ts"
import { type BilledLine, splitCredits } from "./split-credits.ts"

/** An invoice as [member, cents, VAT percent] for one month. */
type LineTuples = readonly (readonly [memberId: string, cents: number, percent: number])[]

const month = "2026-10-01"
const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0)

/** Lines of the newest invoice first. Member "-" means no member. */
function createBilledLines(invoices: readonly LineTuples[]): BilledLine[] {
  return invoices
    .flatMap((lines, at) =>
      lines.map(
        ([memberId, cents, percent], place): BilledLine => ({
          ...{ id: `${at}.${place}`, invoiceId: String(at), memberId, month, rate: String(percent), restCents: cents },
          restOfRateCents: sum(lines.filter(([, , of]) => of === percent).map(([, of]) => of)),
          restOfInvoiceCents: sum(lines.map(([, of]) => of)),
        }),
      ),
    )
    .filter(({ memberId }) => memberId !== "-")
    .reverse()
}

const createCreditableInvoice = (lines: LineTuples): CreditableInvoice => {
  const subtotalCents = sum(lines.map(([, cents]) => cents))
  const percents = [...new Set(lines.map(([, , percent]) => percent))]
  const vatCents = sum(
    percents.map((of) => percentOf(sum(lines.filter(([, , percent]) => percent === of).map(([, cents]) => cents)), of)),
  )
  return {
    ...{ subtotalCents, discountCents: 0, vatCents, totalCents: subtotalCents + vatCents },
    ...{ creditedNetCents: 0, creditedVatCents: 0, writtenOffNetCents: 0, writtenOffVatCents: 0 },
    lines: [],
  }
}

const hasNoRateBelowZero = (lines: LineTuples) =>
  [0, 15].every((rate) => sum(lines.filter(([, , percent]) => percent === rate).map(([, cents]) => cents)) >= 0)

const createBillCredit = (memberId: string, cents: number): BillCredit => ({
  memberId,
  month,
  cents,
  sentences: [memberId],
})

describe("credits of member months", () => {
  test("a month's credits use its own lines, newest first", () => {
    const { invoices, shortCents } = splitCredits(
      [createBillCredit("Ben", 400)],
      createBilledLines([[["Ben", 350, 15]], [["Ben", 100, 15]]]),
    )
    expect(shortCents).toBe(0)
    expect(invoices.map(({ invoiceId, lines }) => [invoiceId, lines[0]!.netCents])).toEqual([
      ["1", 100],
      ["0", 300],
    ])
  })

  test("a credit can reverse a negative adjustment and take its amount from the older invoice", () => {
    const october: LineTuples = [
      ["A", 100, 15],
      ["B", 100, 15],
    ]
    const november: LineTuples = [
      ["C", 100, 15],
      ["D", 100, 15],
      ["A", -100, 15],
    ]
    const { invoices, shortCents } = splitCredits(
      ["B", "C", "D"].map((one) => createBillCredit(one, 100)),
      createBilledLines([october, november]),
    )
    expect(shortCents).toBe(0)
    expect(invoices.map(({ invoiceId, lines }) => [invoiceId, sum(lines.map(({ netCents }) => netCents))])).toEqual([
      ["1", 100],
      ["0", 200],
    ])
    expect(invoices[0]!.lines).toContainEqual({ invoiceLineId: "1.2", netCents: -100 })
    expect(invoices[0]!.sentences).toEqual(["D", "C"])
  })

  test("a credit does not reverse an adjustment if the invoice has enough left", () => {
    const { invoices } = splitCredits(
      [createBillCredit("B", 100)],
      createBilledLines([
        [["A", 100, 15]],
        [
          ["B", 100, 15],
          ["C", 100, 15],
          ["A", -100, 15],
        ],
      ]),
    )
    expect(invoices.map(({ lines }) => lines)).toEqual([[{ invoiceLineId: "1.0", netCents: 100 }]])
  })

  test("a credit returns the shortfall if no lines are left", () => {
    const { invoices, shortCents } = splitCredits(
      [createBillCredit("Ben", 350)],
      createBilledLines([[["Ben", 200, 15]]]),
    )
    expect(invoices[0]!.lines).toEqual([{ invoiceLineId: "0.0", netCents: 200 }])
    expect(shortCents).toBe(150)
  })
})

const members = ["A", "B", "C", "-"]
const invoice = fc.array(
  fc.tuple(fc.constantFrom(...members), fc.integer({ min: -9_000, max: 9_999 }), fc.constantFrom(15, 15, 0)),
  { minLength: 1, maxLength: 7 },
)

test("invoices always cover credits up to the billed amount, and each accepts its share", () => {
  fc.assert(
    fc.property(
      fc.array(invoice, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat({ max: 100 }), { minLength: 3, maxLength: 3 }),
      (drawn, shares) => {
        // A run makes an invoice only if each rate sums to zero or more. Lines without a member are positive.
        const invoices = drawn
          .map((lines) =>
            lines.map(([of, cents, percent]) => [of, of === "-" ? Math.abs(cents) + 1 : cents, percent] as const),
          )
          .filter((lines) => createCreditableInvoice(lines).subtotalCents > 0 && hasNoRateBelowZero(lines))
        const billed = createBilledLines(invoices)
        const total = (of: string) =>
          sum(billed.filter(({ memberId }) => memberId === of).map(({ restCents }) => restCents))
        fc.pre(members.every((of) => total(of) >= 0))
        const credits = ["A", "B", "C"]
          .map((of, at) => createBillCredit(of, Math.floor((total(of) * shares[at]!) / 100)))
          .filter(({ cents }) => cents > 0)
        const split = splitCredits(credits, billed)
        expect(split.shortCents).toBe(0)
        const netOf = new Map<string, number>()
        for (const { invoiceId, lines } of split.invoices) {
          const all = invoices[Number(invoiceId)]!
          const asked = {
            ...createCreditableInvoice(all),
            lines: all.map(([, totalCents, percent], place) => ({
              ...{ id: `${invoiceId}.${place}`, totalCents, correctedCents: 0, creditedVatCents: 0 },
              vat: { class: percent === 0 ? ("exempt" as const) : ("standard" as const), percent },
            })),
          }
          const made = calculateCredit(asked, { kind: "correction", lines })
          expect(isRefusal(made), JSON.stringify([asked, lines, made])).toBe(false)
          expect((made as Credit).totalCents).toBeLessThanOrEqual(asked.totalCents)
          for (const { invoiceLineId, netCents } of lines) {
            const { memberId } = billed.find(({ id }) => id === invoiceLineId)!
            netOf.set(memberId, (netOf.get(memberId) ?? 0) + netCents)
          }
        }
        for (const { memberId, cents } of credits) expect(netOf.get(memberId)).toBe(cents)
        expect(sum([...netOf.values()])).toBe(sum(credits.map(({ cents }) => cents)))
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 2000) },
  )
})
