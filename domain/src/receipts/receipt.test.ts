import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isRefusal } from "../kernel/refusal.ts"
import {
  creditFor,
  type LiveAllocation,
  type OpenInvoice,
  receiptActionsFor,
  receiptStatus,
  releaseAllocationsDownTo,
} from "./receipt.ts"
import { allocateOldestFirst, checkAllocations } from "./receipt-shape.ts"

const createOpenInvoice = (number: string, dueOn: string, outstandingCents: number): OpenInvoice => ({
  id: number,
  number,
  dueOn,
  outstandingCents,
})
const sumOfParts = (parts: readonly { amountCents: number }[]) =>
  parts.reduce((total, part) => total + part.amountCents, 0)

test.each([
  [100, 100, 0, null, "Allocated", ["unallocate", "mail", "download", "reverse"]],
  [100, 99, 0, null, "Pending", ["allocate", "unallocate", "mail", "download", "reverse"]],
  [100, 0, 0, null, "Pending", ["allocate", "edit", "mail", "download", "reverse"]],
  [100, 60, 40, null, "Allocated", ["unallocate", "mail", "download"]],
  [100, 0, 40, null, "Pending", ["allocate", "mail", "download"]],
  [100, 0, 0, "2026-11-01T08:00:00Z", "Reversed", ["download"]],
] as const)("%i cents with %i allocated and %i refunded, reversed %s, have status %s", (...row) => {
  const [amountCents, allocatedCents, refundedCents, reversedAt, status, actions] = row
  expect(receiptStatus({ amountCents, allocatedCents, refundedCents, reversedAt })).toBe(status)
  expect(receiptActionsFor({ allocatedCents, refundedCents, status }, true)).toEqual(actions)
  expect(receiptActionsFor({ allocatedCents, refundedCents, status }, false)).toEqual(["download"])
})

describe("allocating", () => {
  const invoices = [
    createOpenInvoice("INV-3", "2026-10-31", 300),
    createOpenInvoice("INV-1", "2026-08-31", 100),
    createOpenInvoice("INV-2", "2026-08-31", 200),
  ]

  test.each([
    [0, []],
    [50, [["INV-1", 50]]],
    [100, [["INV-1", 100]]],
    [
      250,
      [
        ["INV-1", 100],
        ["INV-2", 150],
      ],
    ],
    [
      600,
      [
        ["INV-1", 100],
        ["INV-2", 200],
        ["INV-3", 300],
      ],
    ],
    [
      999,
      [
        ["INV-1", 100],
        ["INV-2", 200],
        ["INV-3", 300],
      ],
    ],
  ] as const)("%i cents pays the oldest due first", (amount, expected) => {
    expect(allocateOldestFirst(amount, invoices).map((part) => [part.invoiceId, part.amountCents])).toEqual(expected)
  })

  test("automatic allocation is always valid and uses as much as possible", () => {
    const someInvoices = fc.uniqueArray(
      fc.record({
        number: fc.integer({ min: 1, max: 99 }).map(String),
        outstandingCents: fc.integer({ min: 1, max: 1e9 }),
      }),
      { selector: (invoice) => invoice.number, maxLength: 12 },
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2e9 }), someInvoices, (amount, list) => {
        const invoices = list.map(({ number, outstandingCents }) =>
          createOpenInvoice(number, "2026-10-01", outstandingCents),
        )
        const parts = allocateOldestFirst(amount, invoices)
        expect(isRefusal(checkAllocations(parts, amount, invoices, "ZAR"))).toBe(false)
        expect(sumOfParts(parts)).toBe(
          Math.min(
            amount,
            invoices.reduce((total, invoice) => total + invoice.outstandingCents, 0),
          ),
        )
      }),
    )
  })

  test.each([
    ["an invoice that is not open", [{ invoiceId: "INV-9", amountCents: 1 }], 600, "NOT_OPEN"],
    [
      "one invoice twice",
      [
        { invoiceId: "INV-1", amountCents: 1 },
        { invoiceId: "INV-1", amountCents: 1 },
      ],
      600,
      "NOT_OPEN",
    ],
    ["more than an invoice wants", [{ invoiceId: "INV-1", amountCents: 101 }], 600, "OVER_ALLOCATED"],
    ["more than is left", [{ invoiceId: "INV-2", amountCents: 150 }], 149, "OVER_ALLOCATED"],
  ] as const)("refuses %s", (_what, parts, left, refused) => {
    expect(checkAllocations(parts, left, invoices, "ZAR")).toMatchObject({ refused })
  })
})

test("credit from the oldest receipt pays first, up to the amount owed or available", () => {
  const receipt = (number: string, receivedOn: string, amountCents: number, allocatedCents = 0) => ({
    ...{ id: number, number, receivedOn, amountCents, allocatedCents, refundedCents: 0 },
  })
  const receipts = [
    receipt("R3", "2026-02-01", 500),
    receipt("R2", "2026-01-01", 300, 250),
    receipt("R1", "2026-01-01", 9),
  ]
  const of = (wanted: number) => creditFor(wanted, receipts).map((part) => [part.receiptId, part.amountCents])
  expect(of(0)).toEqual([])
  expect(of(20)).toEqual([
    ["R1", 9],
    ["R2", 11],
  ])
  expect(of(10_000)).toEqual([
    ["R1", 9],
    ["R2", 50],
    ["R3", 500],
  ])
  const some = fc.array(fc.tuple(fc.integer({ min: 1, max: 1e9 }), fc.double({ min: 0, max: 1, noNaN: true })))
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2e9 }), some, (wanted, list) => {
      const all = list.map(([cents, part], at) => receipt(`${at}`, "2026-01-01", cents, Math.floor(cents * part)))
      const left = all.reduce((total, one) => total + one.amountCents - one.allocatedCents, 0)
      expect(sumOfParts(creditFor(wanted, all))).toBe(Math.min(wanted, left))
    }),
  )
})

describe("releasing down to the amount an invoice still owes", () => {
  const live: LiveAllocation[] = [
    { id: "a", receiptId: "1", amountCents: 100 },
    { id: "b", receiptId: "2", amountCents: 50 },
    { id: "c", receiptId: "3", amountCents: 30 },
  ]

  test.each([
    [180, [], null],
    [200, [], null],
    [150, ["c"], null],
    [170, ["c"], { receiptId: "3", amountCents: 20 }],
    [120, ["c", "b"], { receiptId: "2", amountCents: 20 }],
    [0, ["c", "b", "a"], null],
  ] as const)("releases allocations until at most %i cents remain", (allowed, released, again) => {
    const outcome = releaseAllocationsDownTo(allowed, live)
    expect(outcome.release.map(({ id }) => id)).toEqual(released)
    expect(outcome.again).toEqual(again)
  })

  test("leaves exactly the allowed amount, to the cent", () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 1e9 }), { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 1e10 }), (parts, allowed) => {
        const allocations = parts.map((amountCents, index) => ({ id: `${index}`, receiptId: `${index}`, amountCents }))
        const { release, again } = releaseAllocationsDownTo(allowed, allocations)
        expect(sumOfParts(allocations) - sumOfParts(release) + (again?.amountCents ?? 0)).toBe(
          Math.min(sumOfParts(allocations), allowed),
        )
      }),
    )
  })
})
