import { addMonths, type Day, firstOfMonth, todayInTimezone } from "@milkwood/domain/kernel/calendar"
import type { ReportId } from "@milkwood/domain/reports/catalogue"
import { expect } from "vitest"
import type { Client } from "../test/app.ts"

export type ReportRow = Record<string, string & number> & { id: string }

export interface DemoCompany {
  client: Client
  today: Day
  /** All rows of the report; without a query, of all days. */
  onScreen(
    report: ReportId,
    query?: Record<string, string | boolean>,
  ): Promise<{ rows: ReportRow[]; sums: Record<string, number>; total: number }>
}

export async function listAllRows<R>(
  page: (place: { page: number; pageSize: 100 }) => Promise<{ rows: R[]; total: number }>,
) {
  const rows: R[] = []
  for (let number = 1; ; number++) {
    const answer = await page({ page: number, pageSize: 100 })
    rows.push(...answer.rows)
    if (rows.length >= answer.total || answer.rows.length === 0) return rows
  }
}

/** Sequential, because slow requests per user are limited. */
export async function mapInSequence<T, R>(rows: readonly T[], ask: (row: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = []
  for (const row of rows) answers.push(await ask(row))
  return answers
}

export const sumOf = <R>(rows: readonly R[], value: (row: R) => unknown): number =>
  rows.reduce((sum, row) => sum + Number(value(row) ?? 0), 0)

/** Sums rows by key; omits zeros. */
export function sumByKey<R>(
  rows: readonly R[],
  by: (row: R) => string,
  value: (row: R) => unknown,
): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const row of rows) sums[by(row)] = (sums[by(row)] ?? 0) + Number(value(row) ?? 0)
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}

export const sortedJson = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).sort()

export const dayOf = (instant: string | null): Day | null =>
  instant === null ? null : todayInTimezone(Temporal.Instant.from(instant), "Africa/Johannesburg")

export function createFigureReader(house: () => DemoCompany) {
  /** Balances by account; a debit is positive. */
  const balances = async (asOf: Day): Promise<Record<string, number>> => {
    const { accounts } = await house().client.ledger.trialBalance({ asOf })
    return Object.fromEntries(accounts.map((of) => [of.account, of.debitCents - of.creditCents]))
  }
  const atEnd = () => balances(addMonths(house().today, 14))
  const months = () => Array.from({ length: 16 }, (_, at) => addMonths(firstOfMonth(house().today), at - 14))
  const vatReturns = async () => {
    const { monthEnd } = house().client
    const returned = await mapInSequence(months(), (month) =>
      monthEnd.vatReturn({ month: month.slice(0, 7), pageSize: 100 }),
    )
    for (const { agrees } of returned) expect(agrees).toBe(true)
    return returned.flatMap(({ rows }) => rows)
  }
  const claimsOf = () => listAllRows((place) => house().client.claims.list(place))
  const membersOf = () => listAllRows((place) => house().client.members.list(place))
  const invoicesOf = async () =>
    (await listAllRows((place) => house().client.billing.list(place))).filter(
      ({ status }) => !["draft", "pending", "cancelled"].includes(status),
    )

  return { balances, atEnd, months, vatReturns, claimsOf, membersOf, invoicesOf }
}
