import { ageBuckets } from "@milkwood/domain/billing/ageing"
import { addDays, addMonths, type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { accountNames } from "@milkwood/domain/ledger/account"
import { expect, test } from "vitest"
import {
  createFigureReader,
  type DemoCompany,
  listAllRows,
  mapInSequence,
  sortedJson,
  sumByKey,
  sumOf,
} from "./house-says.ts"

/** Compares report totals with the ledger and the modules' own lists. */
export function testMoneyFigures(house: () => DemoCompany): void {
  const { balances, atEnd, months, vatReturns, claimsOf, invoicesOf } = createFigureReader(house)

  test("premium billing", async () => {
    const { client, onScreen, today } = house()
    const { rows, sums } = await onScreen("premium_billing")
    const invoices = await invoicesOf()
    const notes = await listAllRows((place) => client.billing.creditNotes.list(place))
    const monthOf = (policyNumber: string, on: Day) => `${policyNumber} ${firstOfMonth(on)}`
    const reported = (name: string) =>
      sumByKey(
        rows,
        ({ policyNumber, month }) => monthOf(policyNumber!, month!),
        (row) => row[name],
      )
    const inList = (value: (invoice: (typeof invoices)[number]) => number) =>
      sumByKey(invoices, ({ policyNumber, invoiceOn }) => monthOf(policyNumber, invoiceOn), value)
    expect(reported("invoices")).toEqual(inList(() => 1))
    expect(reported("totalCents")).toEqual(inList(({ totalCents }) => totalCents))
    expect(reported("creditedCents")).toEqual(
      sumByKey(
        notes,
        ({ policyNumber, creditedOn }) => monthOf(policyNumber, creditedOn),
        ({ totalCents }) => totalCents,
      ),
    )
    const details = await mapInSequence(invoices, ({ id: invoiceId }) => client.billing.detail({ invoiceId }))
    expect(sums.billedCents).toBe(sumOf(details, ({ subtotalCents }) => subtotalCents))
    expect(sums.discountCents).toBe(sumOf(details, ({ discountCents }) => discountCents))
    expect(sums.vatCents).toBe(sumOf(details, ({ vatCents }) => vatCents))
    const { rows: runs } = await client.billing.runs.list({})
    const policies = await mapInSequence(runs, ({ id: runId }) =>
      listAllRows((place) => client.billing.runs.policies({ runId, ...place, tab: "made" })),
    )
    const adjusted = policies.flat().filter(({ invoiceId }) => invoiceId !== null)
    expect(sums.earlierCents, "the runs' adjustments of earlier months").toBe(
      sumOf(adjusted, (row) => row.adjustmentCents),
    )
    // Ledger side: income, VAT and bad-debt relief.
    const ledger = await atEnd()
    const relief = (await vatReturns()).filter(({ kind }) => kind.startsWith("relief"))
    expect(sums.remainingCents).toBe(
      -(ledger.premium_income! + ledger.unearned_premium! + ledger.accrued_premium! + ledger.vat_output!) -
        sumOf(relief, ({ vatCents }) => vatCents),
    )
    const now = await onScreen("premium_billing", {})
    const month = { invoicedFrom: firstOfMonth(today), invoicedTo: addDays(addMonths(firstOfMonth(today), 1), -1) }
    const ofMonth = invoices.filter(({ invoiceOn }) => invoiceOn >= month.invoicedFrom && invoiceOn <= month.invoicedTo)
    expect(now.sums.totalCents).toBe(sumOf(ofMonth, ({ totalCents }) => totalCents))
    expect((await client.billing.list(month)).total).toBeGreaterThanOrEqual(ofMonth.length)
  })

  test("premium collection and debtors' ageing", async () => {
    const { client, onScreen, today } = house()
    const { rows, sums } = await onScreen("debtors_ageing")
    const open = (await listAllRows((place) => client.collection.list({ ...place, month: "all" }))).filter(
      ({ outstandingCents, creditCents }) => outstandingCents !== 0 || creditCents !== 0,
    )
    // Collection excludes credit reserved for refunds; the ledger includes it until release.
    const refunds = await listAllRows((place) => client.refunds.list({ ...place, status: "pending" }))
    const held = sumByKey(
      refunds,
      ({ policyNumber }) => policyNumber,
      ({ amountCents }) => amountCents,
    )
    expect(Object.keys(held).length).toBeGreaterThan(0)
    expect(
      sortedJson(
        rows.map((row) => [row.policyNumber, row.totalCents, row.creditCents, ...ageBuckets.map((age) => row[age])]),
      ),
    ).toEqual(
      sortedJson(
        open.map((row) => [
          ...[row.policyNumber, row.outstandingCents, row.creditCents + (held[row.policyNumber] ?? 0)],
          ...ageBuckets.map((age) => row[age]),
        ]),
      ),
    )
    const ledger = await balances(today)
    expect(sums.totalCents).toBe(ledger.premium_debtors)
    expect(sums.creditCents).toBe(-ledger.unallocated_receipts!)
    const unpaid = await listAllRows((place) => client.billing.list({ ...place, tab: "unpaid" }))
    expect(
      sumByKey(
        rows,
        ({ policyNumber }) => policyNumber!,
        ({ totalCents }) => totalCents,
      ),
    ).toEqual(
      sumByKey(
        unpaid,
        ({ policyNumber }) => policyNumber,
        ({ openCents }) => openCents,
      ),
    )
    const overdue = await onScreen("debtors_ageing", { overdue: true })
    expect(overdue.rows.map(({ policyNumber }) => policyNumber).sort()).toEqual(
      open
        .filter(({ overdueCents }) => overdueCents > 0)
        .map(({ policyNumber }) => policyNumber)
        .sort(),
    )
    // Compares the balances also as of each recent month end.
    for (const month of months().slice(4, 14)) {
      const [asOf, was] = [addDays(month, -1), await balances(addDays(month, -1))]
      const then = await onScreen("debtors_ageing", { asOf })
      expect([then.sums.totalCents, then.sums.creditCents], asOf).toEqual([
        was.premium_debtors ?? 0,
        -(was.unallocated_receipts ?? 0) || 0,
      ])
    }
  })

  test("the cash book", async () => {
    const { client, onScreen } = house()
    const { rows, sums } = await onScreen("cash_book")
    const postings = await mapInSequence(["bank", "undeposited"] as const, (account) =>
      listAllRows((place) => client.ledger.postings({ account, asOf: addMonths(house().today, 14), ...place })),
    )
    expect(
      sumByKey(
        rows,
        ({ on }) => on!,
        ({ inCents, outCents }) => inCents! - outCents!,
      ),
    ).toEqual(
      sumByKey(
        postings.flat(),
        ({ effectiveOn }) => effectiveOn,
        ({ debitCents, creditCents }) => debitCents - creditCents,
      ),
    )
    const ledger = await atEnd()
    expect(sums.inCents! - sums.outCents!).toBe(ledger.bank! + ledger.undeposited!)
    const of = (movement: string, name: string) =>
      sumOf(
        rows.filter((row) => row.movement === movement),
        (row) => row[name],
      )
    const receipts = await listAllRows((place) => client.receipts.list(place))
    expect(of("receipt_taken", "inCents")).toBe(sumOf(receipts, ({ amountCents }) => amountCents))
    const reversed = receipts.filter(({ status }) => status === "Reversed")
    expect(of("receipt_taken_reversed", "outCents")).toBe(sumOf(reversed, ({ amountCents }) => amountCents))
    const left = (status: string) => ["completed", "returned"].includes(status)
    const payouts = (await listAllRows((place) => client.payouts.list({ ...place, paidFor: "claims" }))).filter(
      ({ status }) => left(status),
    )
    expect(of("claim_payout_completed", "outCents")).toBe(sumOf(payouts, ({ amountCents }) => amountCents))
    const byMethod = sumByKey(
      receipts,
      ({ method }) => method,
      ({ amountCents }) => amountCents,
    )
    const taken = rows.filter(({ movement }) => movement === "receipt_taken")
    expect(
      sumByKey(
        taken,
        ({ method }) => method!,
        ({ inCents }) => inCents,
      ),
    ).toEqual(byMethod)
    const debtors = await listAllRows((place) =>
      client.ledger.postings({ account: "premium_debtors", asOf: addMonths(house().today, 14), ...place }),
    )
    const allocations = debtors.filter(
      ({ kind, description }) => kind === "allocation" || /^Reversed: .*llocat/.test(description),
    )
    expect(sums.allocatedCents).toBe(sumOf(allocations, ({ debitCents, creditCents }) => creditCents - debitCents))
  })

  test("VAT and trial balance", async () => {
    const { onScreen, today } = house()
    const whole = await onScreen("vat_and_trial_balance")
    expect([whole.sums.debitCents, whole.sums.closingCents]).toEqual([whole.sums.creditCents, 0])
    const year = {
      from: addDays(addMonths(firstOfMonth(today), -7), 9),
      to: addDays(addMonths(firstOfMonth(today), -3), 19),
    }
    for (const period of [{ from: addMonths(firstOfMonth(today), -24), to: addMonths(today, 14) }, year]) {
      const { rows } = await onScreen("vat_and_trial_balance", period)
      const [before, after] = [await balances(addDays(period.from, -1)), await balances(period.to)]
      const accounts = rows.filter(({ part }) => part === null)
      expect(accounts.map(({ account }) => account)).toEqual(
        accountNames.filter((name) => accounts.some(({ account }) => account === name)),
      )
      const column = (name: string) =>
        sumByKey(
          accounts,
          ({ account }) => account!,
          (row) => row[name],
        )
      const nonZero = (of: Record<string, number>) =>
        sumByKey(
          Object.entries(of),
          ([name]) => name,
          ([, sum]) => sum,
        )
      expect(column("openingCents"), period.from).toEqual(nonZero(before))
      expect(column("closingCents"), period.to).toEqual(nonZero(after))
    }
    const returned = await vatReturns()
    const classes = { standard: "Standard-rated", zero: "Zero-rated", exempt: "Exempt" }
    expect(
      sumByKey(
        whole.rows.filter(({ part }) => part !== null),
        ({ part }) => part!,
        ({ outputVatCents }) => outputVatCents,
      ),
    ).toEqual(
      sumByKey(
        returned,
        ({ vatClass, rate }) => `${classes[vatClass]} ${rate}`.trim(),
        ({ vatCents }) => vatCents,
      ),
    )
    expect(whole.sums.outputVatCents).toBe(-(await atEnd()).vat_output!)
  })

  test("the scheme portfolio, claims experience and renewals", async () => {
    const { client, onScreen, today } = house()
    const portfolio = await onScreen("scheme_portfolio")
    const policies = (await listAllRows((place) => client.policies.list(place))).filter(
      ({ status }) => status !== "Draft",
    )
    expect(
      sortedJson(
        portfolio.rows.map((row) => [
          row.policyNumber,
          row.groupName,
          row.status,
          row.members,
          row.premiumCents,
          row.startOn,
          row.endOn,
        ]),
      ),
    ).toEqual(
      sortedJson(
        policies.map((row) => [
          row.number,
          row.groupName,
          row.status,
          row.memberCount,
          row.premiumCents! * row.memberCount,
          row.startOn,
          row.endOn,
        ]),
      ),
    )
    const ledger = await atEnd()
    const [earned, incurred] = [-ledger.premium_income!, ledger.claims_expense!]
    expect([portfolio.sums.earnedCents, portfolio.sums.incurredCents]).toEqual([earned, incurred])
    const claims = await claimsOf()
    const decided = claims.filter(({ status }) => status === "approved" || status === "paid")
    const open = (await onScreen("outstanding_claims")).rows.filter(({ status }) => status !== "approved")
    const reserves = sumByKey(
      open,
      ({ number }) => number!,
      ({ reserveCents }) => reserveCents,
    )
    expect(portfolio.sums.claims).toBe(decided.length)
    for (const { id } of policies) {
      const row = portfolio.rows.find((one) => one.id === id)!
      const asOf = addMonths(today, 14)
      const { sums } = await client.ledger.postings({ account: "premium_income", policyId: id, asOf })
      expect(row.earnedCents).toBe(sums!.creditCents - sums!.debitCents)
      expect(row.incurredCents).toBe(
        sumOf(
          claims.filter(({ policy }) => policy.id === id),
          (claim) => (decided.includes(claim) ? claim.approvedAmountCents : (reserves[claim.number] ?? 0)),
        ),
      )
      const ratio = row.earnedCents! > 0 ? Math.round((row.incurredCents! * 1_000) / row.earnedCents!) / 10 : null
      expect(row.lossRatio).toBe(ratio)
    }
    const experience = await onScreen("claims_experience")
    for (const name of ["earnedCents", "incurredCents"] as const)
      expect(
        sumByKey(
          experience.rows,
          ({ policyNumber }) => policyNumber!,
          (row) => row[name],
        ),
      ).toEqual(
        sumByKey(
          portfolio.rows,
          ({ policyNumber }) => policyNumber!,
          (row) => row[name],
        ),
      )
    const renewals = await onScreen("renewals")
    expect(
      sortedJson(renewals.rows.map((row) => [row.policyNumber, row.endOn, row.members, row.membersAtStart])),
    ).toEqual(
      sortedJson(
        policies.filter(({ endOn }) => endOn !== null).map((row) => [row.number, row.endOn, row.memberCount, 1]),
      ),
    )
  })
}
