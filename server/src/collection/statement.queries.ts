import { join } from "node:path"
import { collectionContract, type Statement } from "@milkwood/domain/collection/collection.contract"
import {
  type Movement,
  type StatementKind,
  statementLines,
  statementStart,
} from "@milkwood/domain/collection/statement"
import { type Day, formatMonth } from "@milkwood/domain/kernel/calendar"
import { amountTitle, type Currency } from "@milkwood/domain/kernel/money"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { type SQL, sql } from "drizzle-orm"
import { isOpen } from "../billing/invoice-money.ts"
import { actorSeesGroup, ruleActor } from "../platform/calls/actor.ts"
import { type Cx, invalidInput, query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { toCsv } from "../platform/lists/csv.ts"
import { type FileColumn, unitsOf } from "../platform/lists/file-column.ts"
import { renderPdf } from "../platform/pdf/pdf.ts"
import { readDocumentSettings } from "../platform/settings/paper.ts"
import { readSettings } from "../platform/settings/store.ts"
import { addressee } from "../policies/addressee.queries.ts"
import type { StatementDocument } from "./statement-pdf.ts"

type StatementQuery = { policyId: string; from?: Day | undefined; to?: Day | undefined }
type StatementCx = Pick<Cx, "tx" | "today" | "actor">

const account = sql`p.account in ('premium_debtors', 'unallocated_receipts')`

/**
 * Ledger balance and credit before a day, in cents (debtors, credit): earlier months' totals plus entries of the day's
 * month.
 */
const balanceBefore = (policyId: string, day: SQL): SQL => sql`
  select coalesce(sum(cents) filter (where account = 'premium_debtors'), 0)::bigint as debtors,
    coalesce(-sum(cents) filter (where account = 'unallocated_receipts'), 0)::bigint as credit
  from (
    select account, debit_cents - credit_cents as cents from ledger_months
      where policy_id = ${policyId} and month < date_trunc('month', ${day})
    union all
    select p.account, p.amount_cents from ledger_postings p join ledger_entries e on e.id = p.entry_id
      where p.policy_id = ${policyId} and e.effective_on >= date_trunc('month', ${day}) and e.effective_on < ${day}
  ) posted`

const statementKindsByEntry: Record<string, StatementKind> = {
  invoice_sent: "invoice",
  credit_note: "credit_note",
  receipt_taken: "receipt",
  refund_released: "refund",
  write_off: "write_off",
  reversal: "reversal",
}

type PostedMovement = Omit<Movement, "kind" | "record"> & {
  kind: string
  recordKind: string
  recordId: string
  period: Day | null
}

const recordPermissions = { invoice: "invoices.read", receipt: "receipts.read", payout: "payouts.read" } as const

/**
 * Statement from the ledger, both days inclusive. Closing balance = debtors less credit. Read as staff, so access to
 * the policy is checked here. NOT_FOUND for an invisible policy or a draft.
 */
export async function statementOf({ tx, today, actor }: StatementCx, asked: StatementQuery): Promise<Statement> {
  const { policyId } = asked
  const policy = await tx.row<{
    groupId: string
    policyNumber: string
    groupName: string
    oldestOpenOn: Day | null
  }>(sql`
    select p.group_id as "groupId", p.number as "policyNumber", g.name as "groupName",
      (select min(i.invoice_on) from invoices i where i.policy_id = p.id and ${isOpen}) as "oldestOpenOn"
    from policies p join employer_groups g on g.id = p.group_id where p.id = ${policyId} and p.status <> 'Draft'`)
  if (!policy || !actorSeesGroup(actor, policy.groupId)) throw refused("NOT_FOUND")
  const { groupId: _, oldestOpenOn, ...of } = policy
  const to = asked.to ?? today
  const from = asked.from ?? statementStart(to, oldestOpenOn)
  if (from > to) throw invalidInput([{ path: "to", message: "The last day is before the first day" }])
  const balances = (day: SQL) => tx.row<{ debtors: number; credit: number }>(balanceBefore(policyId, day))
  const opening = (await balances(sql`${from}::date`))!
  const closing = (await balances(sql`(${to}::date + 1)`))!
  const openingCents = opening.debtors - opening.credit
  const { role } = ruleActor(actor)
  const movements = (await movementsOf(tx, policyId, from, to)).map(
    ({ kind, recordKind, recordId, period, description, ...movement }): Movement => {
      const permission = recordPermissions[recordKind as keyof typeof recordPermissions]
      return {
        ...movement,
        kind: statementKindsByEntry[kind] ?? "reversal",
        description: period === null ? description : `${description.replace(/ sent$/, "")}, ${formatMonth(period)}`,
        // System jobs make PDFs, which have no links.
        record: permission && hasPermission(role, permission) ? { kind: recordKind, id: recordId } : null,
      }
    },
  )
  return {
    policyId,
    ...of,
    from,
    to,
    openingCents,
    lines: statementLines(openingCents, movements),
    closingCents: closing.debtors - closing.credit,
    debtorsCents: closing.debtors,
    creditCents: closing.credit,
  }
}

const movementsOf = (tx: Tx, policyId: string, from: Day, to: Day): Promise<PostedMovement[]> =>
  tx.rows<PostedMovement>(sql`
    select e.id as "entryId", e.effective_on as on, e.kind, e.description, e.record_kind as "recordKind",
      e.record_id as "recordId", moved.cents,
      case when e.kind = 'invoice_sent' then i.period_start_on end as period
    from (
      select p.entry_id, sum(p.amount_cents)::bigint as cents
      from ledger_postings p join ledger_entries e on e.id = p.entry_id
      where p.policy_id = ${policyId} and ${account} and e.effective_on between ${from}::date and ${to}::date
      group by p.entry_id having sum(p.amount_cents) <> 0
    ) moved
    join ledger_entries e on e.id = moved.entry_id
    left join invoices i on e.record_kind = 'invoice' and i.id = e.record_id
    order by e.effective_on, e.seq`)

export const readStatement = query(collectionContract.statement, (cx) => statementOf(cx, cx.input), { as: "staff" })

export async function loadStatementDocument(
  cx: StatementCx & Pick<Cx, "now">,
  asked: StatementQuery,
): Promise<StatementDocument> {
  const { lines, ...statement } = await statementOf(cx, asked)
  const found = await cx.tx.row<Pick<StatementDocument, "billTo">>(sql`
    select ${addressee} as "billTo"
    from policies p join employer_groups g on g.id = p.group_id where p.id = ${asked.policyId}`)
  const { organisation, dateFormat, currency } = await readDocumentSettings(cx.tx)
  const said = lines.map(({ on, description, chargeCents, paymentCents, balanceCents }) => {
    return { on, description, chargeCents, paymentCents, balanceCents }
  })
  return {
    ...statement,
    lines: said,
    billTo: found!.billTo,
    organisation,
    dateFormat,
    currency,
    createdAt: cx.now.toString(),
  }
}

const template = join(import.meta.dirname, "statement-pdf.ts")

/** Call it outside a transaction. */
export const statementPdf = (
  printing: Parameters<typeof renderPdf>[0],
  document: () => StatementDocument | Promise<StatementDocument>,
): Promise<Buffer> => renderPdf(printing, template, document)

type FileLine = {
  on: string | null
  description: string
  charge: number | null
  payment: number | null
  balance: number
}

const columnsIn = (currency: Currency): Omit<FileColumn<FileLine>, "kind">[] => [
  { title: "Date", value: (row) => row.on },
  { title: "Description", value: (row) => row.description },
  { title: amountTitle("Charges", currency), value: (row) => unitsOf(row.charge) },
  { title: amountTitle("Payments and credits", currency), value: (row) => unitsOf(row.payment) },
  { title: amountTitle("Balance", currency), value: (row) => unitsOf(row.balance) },
]

export async function createStatementFile(cx: StatementCx, asked: StatementQuery) {
  const { policyNumber, from, to, openingCents, closingCents, lines } = await statementOf(cx, asked)
  const rows: FileLine[] = [
    { on: from, description: "Opening balance", charge: null, payment: null, balance: openingCents },
    ...lines.map(({ on, description, chargeCents, paymentCents, balanceCents }) => {
      return { on, description, charge: chargeCents || null, payment: paymentCents || null, balance: balanceCents }
    }),
    { on: to, description: "Closing balance", charge: null, payment: null, balance: closingCents },
  ]
  const { currency } = await readSettings(cx.tx, { currency: platformSettings.currency })
  const bytes = toCsv(columnsIn(currency), rows)
  return { name: fileName(policyNumber, from, to, "csv"), mime: "text/csv; charset=utf-8", bytes }
}

export const fileName = (policyNumber: string, from: Day, to: Day, ending: string): string =>
  `statement-${policyNumber}-${from}-to-${to}.${ending}`
