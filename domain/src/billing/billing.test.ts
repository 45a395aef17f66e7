import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { formatMoney, percentOf } from "../kernel/money.ts"
import { isRefusal } from "../kernel/refusal.ts"
import { roles } from "../platform/permission.ts"
import { billedMonthOf } from "./billed-month.ts"
import { type InvoiceMoney, invoiceStatus, openCents, storedInvoiceStatuses } from "./invoice.ts"
import { emptyInvoiceForm, invoiceForm } from "./invoice-form.ts"
import { invoiceActionsOf, invoiceLifecycle } from "./invoice-lifecycle.ts"
import { type CreditParts, creditParts, discountOf, invoiceTotals, vatParts } from "./invoice-totals.ts"
import { describeLineChanges } from "./line-changes.ts"
import { createMemberLines } from "./member-lines.ts"

const line = fc.record({
  quantity: fc.integer({ min: 1, max: 1000 }),
  unitCents: fc.integer({ min: 0, max: 10_000_000 }),
})
const percent = fc.integer({ min: 0, max: 10_000 }).map((basis) => basis / 100)

describe("invoice totals", () => {
  test.each([
    [[[1, 350_00]], 15, 0, 350_00, 52_50, 402_50],
    [
      [
        [2, 99_99],
        [1, 0],
      ],
      15,
      0,
      199_98,
      30_00,
      229_98,
    ],
    [[[1, 10]], 15, 0, 10, 2, 12],
    [[[1, 1]], 15, 0, 1, 0, 1],
    [
      [
        [3, 33_33],
        [1, -10_00],
      ],
      15,
      5_00,
      89_99,
      13_50,
      98_49,
    ],
    [[[1, 1000_00]], 0, 0, 1000_00, 0, 1000_00],
    [[[1, 1000_00]], 14.5, 0, 1000_00, 145_00, 1145_00],
  ])("invoice totals add up for %j at %d %% less %d", (lines, rate, discount, subtotal, vat, total) => {
    const totals = invoiceTotals(
      lines.map(([quantity, unitCents]) => ({ quantity: quantity!, unitCents: unitCents! })),
      rate,
      discount,
    )
    expect(totals).toMatchObject({ subtotalCents: subtotal, vatCents: vat, totalCents: total })
  })

  test("invoice totals round VAT once, on the subtotal, and add up", () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 60 }),
        percent,
        fc.integer({ min: 0, max: 500 }),
        (lines, rate, off) => {
          const subtotal = lines.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0)
          const totals = invoiceTotals(lines, rate, Math.min(off, subtotal))
          expect(totals.subtotalCents).toBe(subtotal)
          expect(totals.vatCents).toBe(percentOf(subtotal, rate))
          expect(Math.abs(totals.vatCents - (subtotal * rate) / 100)).toBeLessThanOrEqual(0.5 + 1e-4)
          expect(totals.totalCents).toBe(subtotal + totals.vatCents - totals.discountCents)
        },
      ),
    )
  })
})

describe("credits of an invoice", () => {
  test("partial credits add up to exactly the invoice's total and VAT", () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 5 }),
        percent,
        fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 8 }),
        (lines, rate, amounts) => {
          const invoice = invoiceTotals(lines, rate)
          fc.pre(invoice.totalCents > 0)
          const credited = { totalCents: 0, vatCents: 0, netCents: 0 }
          const take = (amount: number | null) => {
            const parts = creditParts(invoice, credited, amount)
            if (isRefusal(parts)) return parts
            const { totalCents, vatCents, netCents } = parts as CreditParts
            expect(netCents + vatCents).toBe(totalCents)
            expect(vatCents).toBeGreaterThanOrEqual(0)
            expect(netCents).toBeGreaterThanOrEqual(0)
            credited.totalCents += totalCents
            credited.vatCents += vatCents
            credited.netCents += netCents
            return parts
          }
          for (const amount of amounts) {
            const left = invoice.totalCents - credited.totalCents
            const parts = take(amount)
            if (amount > left) expect(isRefusal(parts)).toBe(true)
            else expect((parts as CreditParts).whole).toBe(amount === left)
          }
          if (credited.totalCents < invoice.totalCents) expect((take(null) as CreditParts).whole).toBe(true)
          expect(credited).toMatchObject({ totalCents: invoice.totalCents, vatCents: invoice.vatCents })
          expect(take(null)).toMatchObject({ refused: "NOTHING_TO_CREDIT" })
        },
      ),
    )
  })
})

describe("displayed invoice status", () => {
  const sent: InvoiceMoney = {
    status: "sent",
    totalCents: 100,
    creditedCents: 0,
    writtenOffCents: 0,
    allocatedCents: 0,
    dueOn: "2026-11-30",
  }
  test.each([
    [{}, "2026-11-30", "sent", 100],
    [{}, "2026-12-01", "overdue", 100],
    [{ allocatedCents: 99 }, "2026-12-01", "overdue", 1],
    [{ allocatedCents: 100 }, "2026-12-01", "paid", 0],
    [{ allocatedCents: 60, creditedCents: 40 }, "2026-12-01", "paid", 0],
    [{ creditedCents: 100 }, "2026-12-01", "credited", 0],
    [{ status: "draft" }, "2026-12-01", "draft", 0],
    [{ status: "pending" }, "2026-12-01", "pending", 0],
    [{ status: "cancelled" }, "2026-12-01", "cancelled", 0],
  ] as const)("an invoice with %j on %s is %s, with %d open", (with_, today, status, open) => {
    const invoice = { ...sent, ...with_ }
    expect(invoiceStatus(invoice, today)).toBe(status)
    expect(openCents(invoice)).toBe(open)
  })
})

describe("invoice actions", () => {
  const table = {
    draft: ["edit", "approve", "send", "cancel"],
    pending: ["send", "cancel"],
    sent: ["credit"],
    cancelled: [],
  } as const
  const next = { edit: "draft", approve: "pending", send: "sent", cancel: "cancelled", credit: "sent" } as const

  for (const status of storedInvoiceStatuses) {
    for (const action of invoiceLifecycle.actions) {
      const possible = (table[status] as readonly string[]).includes(action)
      test(`${action} from ${status} is ${possible ? "possible" : "refused"}`, () => {
        expect(invoiceLifecycle.next(status, action)).toBe(possible ? next[action] : null)
      })
    }
    for (const role of [...roles, null]) {
      test(`${role ?? "nobody"} is offered the allowed actions on a ${status} invoice`, () => {
        const money = {
          status,
          totalCents: 100,
          creditedCents: 0,
          allocatedCents: 0,
          writtenOffCents: 0,
          dueOn: "2026-11-30",
        }
        const actions = invoiceActionsOf(money, role)
        const writes = role === "admin" || role === "manager"
        expect(actions).toEqual([
          ...(writes ? table[status] : []),
          ...(writes && status === "sent" ? ["receive", "writeOff", "mail"] : []),
          ...(role ? ["download"] : []),
        ])
      })
    }
  }

  test("a fully credited invoice can be neither credited nor paid", () => {
    const money = {
      status: "sent",
      totalCents: 100,
      creditedCents: 100,
      writtenOffCents: 0,
      allocatedCents: 0,
      dueOn: "2026-11-30",
    } as const
    expect(invoiceActionsOf(money, "manager")).toEqual(["mail", "download"])
  })
})

describe("the invoice form", () => {
  const form = {
    ...emptyInvoiceForm("2026-11-21"),
    policyId: "0b0d1f6e-5f0c-4f57-9d5e-0a4c7a3f3c11",
    lines: [{ description: "Premium", quantity: 1, unitCents: 100_00 }],
  }
  const messages = (input: unknown) => {
    const parsed = invoiceForm.safeParse(input)
    return parsed.success ? [] : parsed.error.issues.map((issue) => issue.message)
  }

  test.each([1e300, 9007199254740991, -9007199254740991])("refuses a quantity or price of %d", (amount) => {
    const line = { description: "Premium", quantity: 1, unitCents: 100_00 }
    expect(messages({ ...form, lines: [{ ...line, quantity: amount }] })).toContainEqual(
      amount < 0 ? "The quantity must be at least 1" : expect.any(String),
    )
    expect(messages({ ...form, lines: [{ ...line, unitCents: amount }] })).toContain(
      "The unit price can be at most 10 million",
    )
  })

  test("a new invoice form has the default dates and an empty line", () => {
    expect(emptyInvoiceForm("2026-11-21")).toMatchObject({
      invoiceOn: "2026-11-21",
      dueOn: "2026-12-21",
      periodStartOn: "2026-11-21",
      periodEndOn: "2026-12-21",
      lines: [{ description: "", quantity: 1, unitCents: 0 }],
    })
  })

  test.each([
    [{ policyId: "" }, "Please select a policy"],
    [{ lines: [] }, "Please add at least one line item"],
    [{ lines: [{ description: "  ", quantity: 1, unitCents: 5 }] }, "Please add at least one line item"],
    [{ lines: [{ description: "A", quantity: 0, unitCents: 5 }] }, "The quantity must be at least 1"],
    [{ dueOn: "2026-11-20" }, "The due date is before the invoice date"],
    [{ periodEndOn: "2026-11-20" }, "The period ends before it starts"],
    [{ discountCents: 100_01 }, "The discount cannot exceed the subtotal"],
    [{ discountCents: -1 }, "The discount cannot be negative"],
    [{ discountCents: 1 }, "Enter the reason for the discount"],
    [{ discountPercent: 5, discountReason: " " }, "Enter the reason for the discount"],
    [{ discountPercent: 0, discountReason: "None" }, "Enter a discount above 0 %"],
    [{ discountPercent: 100.5, discountReason: "Much" }, "The discount can be at most 100 %"],
    [{ discountPercent: 1.005, discountReason: "Fine" }, "Enter at most two decimals"],
    [{ lines: [{ description: "A", quantity: 1, unitCents: -5 }] }, "The total of the lines cannot be negative"],
    [{ invoiceOn: "2026-02-30" }, "Enter a date as YYYY-MM-DD"],
  ])("refuses %j", (change, message) => {
    expect(messages({ ...form, ...change })).toContain(message)
  })

  test("the invoice form drops lines without a description", () => {
    const lines = [...form.lines, { description: " ", quantity: 1, unitCents: 7 }]
    expect(invoiceForm.parse({ ...form, lines }).lines).toHaveLength(1)
  })
})

test.each([
  [100_00, 5_00, null, "Early", { discountCents: 5_00, discountPercent: null, discountReason: "Early" }],
  [33_33, 0, 2.5, "Early", { discountCents: 83, discountPercent: 2.5, discountReason: "Early" }],
  [99_99, 5_00, 100, "Gift", { discountCents: 99_99, discountPercent: 100, discountReason: "Gift" }],
  [100_00, 0, null, "Nothing", { discountCents: 0, discountPercent: null, discountReason: "" }],
  [0, 0, 10, "Of nothing", { discountCents: 0, discountPercent: null, discountReason: "" }],
] as const)("the discount of subtotal %i is computed from %i cents or %s per cent", (subtotal, discountCents, discountPercent, discountReason, found) => {
  expect(discountOf(subtotal, { discountCents, discountPercent, discountReason })).toEqual(found)
})

test("a member's invoice line has name, tier, month and the owed or default amount", () => {
  const members = [
    { memberId: "a", firstName: "Anna", lastName: "Müller", tierId: "g", tierName: "Gold", owedCents: 425_00 },
    { memberId: "b", firstName: "Ben", lastName: "Nkosi", tierId: null, tierName: null, owedCents: null },
  ]
  const billedMonth = "2026-11-01"
  expect(createMemberLines(members, billedMonth, 350_00)).toEqual([
    { description: "Anna Müller - Gold", quantity: 1, unitCents: 425_00, memberId: "a", tierId: "g", billedMonth },
    { description: "Ben Nkosi - Standard", quantity: 1, unitCents: 350_00, memberId: "b", tierId: null, billedMonth },
  ])
})

test.each([
  ["2026-11-01", "2026-11-30", "2026-11-01"],
  ["2026-11-14", "2026-12-14", "2026-12-01"],
  ["2026-11-05", "2026-11-20", "2026-11-01"],
  ["2026-01-01", "2026-03-31", "2026-01-01"],
  ["2026-12-31", "2027-01-01", "2027-01-01"],
])("a premium period from %s to %s bills the month of %s", (periodStartOn, periodEndOn, month) =>
  expect(billedMonthOf({ periodStartOn, periodEndOn })).toBe(month))

test("rounds VAT once per rate of a document", () => {
  const at = (percent: number) => ({ quantity: 1, unitCents: 3, vat: { class: "standard" as const, percent } })
  const exempt = { quantity: 2, unitCents: 50, vat: { class: "exempt" as const, percent: 0 } }
  const lines = [at(15), exempt, at(15), at(14)]
  expect(vatParts(lines, 15)).toEqual([
    { class: "standard", percent: 15, netCents: 6, vatCents: 1 },
    { class: "exempt", percent: 0, netCents: 100, vatCents: 0 },
    { class: "standard", percent: 14, netCents: 3, vatCents: 0 },
  ])
  expect(invoiceTotals(lines, 15)).toMatchObject({ subtotalCents: 109, vatCents: 1, totalCents: 110 })
})

describe("line changes of an edit", () => {
  const line = (description: string, quantity = 1, unitCents = 350_00) => ({ description, quantity, unitCents })

  test("an edit lists removed and added lines and ignores their order", () => {
    const [anna, ben] = [line("Anna - Gold"), line("Ben - Silver")]
    expect(describeLineChanges([anna, ben], [ben, anna], "ZAR")).toEqual({ removed: null, added: null })
    expect(describeLineChanges([anna, anna], [anna], "ZAR")).toEqual({
      removed: [`Anna - Gold: 1 × ${formatMoney(350_00, "ZAR")}`],
      added: null,
    })
    expect(describeLineChanges([anna], [line("Anna - Gold", 2)], "ZAR")).toEqual({
      removed: [`Anna - Gold: 1 × ${formatMoney(350_00, "ZAR")}`],
      added: [`Anna - Gold: 2 × ${formatMoney(350_00, "ZAR")}`],
    })
  })
})
