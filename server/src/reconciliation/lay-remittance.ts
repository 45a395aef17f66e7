import { randomUUID } from "node:crypto"
import { firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { reconciliationContract } from "@milkwood/domain/reconciliation/reconciliation.contract"
import {
  type BilledPerson,
  compareRemittance,
  readRemittance,
  remittanceTotalsOf,
} from "@milkwood/domain/reconciliation/remittance"
import { hasPayerAndAmount, type RemittanceColumns } from "@milkwood/domain/reconciliation/remittance-columns"
import type { SheetRow } from "@milkwood/domain/staff-lists/staff-list-rows"
import { sql } from "drizzle-orm"
import { type Cx, command, invalidInput, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import type { Tx } from "../platform/database/database.ts"
import { lockRecord, type Stored, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { remittanceRows, remittances } from "./reconciliation.tables.ts"
import { readRemittanceDetail } from "./remittances.queries.ts"

type Remittance = Stored<typeof remittances>

/** Rows per insert, and stored notes about left out rows. */
const batchRows = 1_000
const maxStoredNotes = 50

export async function compareStoredRemittance(cx: Cx, list: Remittance, columns: RemittanceColumns): Promise<void> {
  const { tx } = cx
  const content = await tx.row<{ rows: [line: number, ...cells: string[]][] }>(
    sql`select rows from remittance_contents where remittance_id = ${list.id}`,
  )
  if (!content) throw refused("NOT_FOUND", "The rows of this list were deleted after their retention period.")
  const rows = content.rows.map(([line, ...cells]): SheetRow => ({ line, cells }))
  const { paid, left } = readRemittance(rows, columns, cx.today, cx.currency)
  const invoice = await tx.row<{ number: string; periodStartOn: string }>(
    sql`select number, period_start_on as "periodStartOn" from invoices where id = ${list.invoiceId}`,
  )
  const laid = compareRemittance(
    paid,
    await readBilledMembers(tx, list.invoiceId),
    firstOfMonth(invoice!.periodStartOn),
  )
  await tx.run(sql`delete from remittance_rows where remittance_id = ${list.id}`)
  for (let from = 0; from < laid.length; from += batchRows) {
    await tx.insert(remittanceRows).values(
      laid.slice(from, from + batchRows).map((row, at) => ({
        ...{ id: randomUUID(), groupId: list.groupId, remittanceId: list.id, position: from + at + 1, ...row },
        who: row.who.slice(0, 300),
      })),
    )
  }
  const totals = remittanceTotalsOf(laid)
  const sum = (of: "paidCents" | "billedCents") => laid.reduce((cents, row) => cents + (row[of] ?? 0), 0)
  const sums = { paidCents: sum("paidCents"), billedCents: sum("billedCents") }
  const differingCount = laid.length - totals.agrees.count
  const notes = [
    ...left.slice(0, maxStoredNotes),
    ...(left.length > maxStoredNotes ? [`And ${left.length - maxStoredNotes} more rows were left out`] : []),
  ]
  await saveRecord(tx, remittances, list, { columns, notes, differingCount, ...sums, version: list.version + 1 })
  const about = { kind: "invoice" as const, id: list.invoiceId, label: invoice!.number }
  const { fileName } = list
  const counts = { members: laid.length, differing: differingCount }
  await record(cx, [{ type: "RemittanceLaid", record: about, groupId: null, fileName, ...counts, ...sums }])
}

const readBilledMembers = (tx: Tx, invoiceId: string) =>
  tx.rows<BilledPerson>(sql`
    select m.id as "memberId", m.number, m.id_number as "idNumber", m.passport_number as "passportNumber",
      m.first_name as "firstName", m.last_name as "lastName", m.start_on as "startOn", m.end_on as "endOn", m.employee_number as "employeeNumber",
      l.cents as "billedCents"
    from members m
    left join (
      select member_id, sum(cents)::bigint as cents from (
        select member_id, round(sum(total_cents) * (100 + vat_percent) / 100.0) as cents
        from invoice_lines where invoice_id = ${invoiceId} and member_id is not null group by member_id, vat_percent
      ) by_rate group by member_id
    ) l on l.member_id = m.id
    where m.policy_id = (select policy_id from invoices where id = ${invoiceId}) or l.member_id is not null
    order by m.last_name_key, m.name_key, m.id`)

export const startRemittanceComparison = command(reconciliationContract.remittances.lay, async (cx) => {
  const { remittanceId, version, columns } = cx.input
  const list = await lockRecord(cx.tx, remittances, remittanceId, "This list does not exist.")
  expectVersion(list, version)
  if (!hasPayerAndAmount(columns)) {
    const message = "Choose the amount column and a column that identifies the member."
    throw invalidInput([{ path: "columns", message }], message)
  }
  await compareStoredRemittance(cx, list, columns)
  return readRemittanceDetail(cx, remittanceId)
})

export const removeRemittance = command(reconciliationContract.remittances.remove, async (cx) => {
  const { remittanceId, version } = cx.input
  const list = await lockRecord(cx.tx, remittances, remittanceId, "This list does not exist.")
  expectVersion(list, version)
  const invoice = await cx.tx.row<{ number: string }>(sql`select number from invoices where id = ${list.invoiceId}`)
  await cx.tx.run(sql`delete from remittances where id = ${remittanceId}`)
  await cx.tx.run(sql`delete from files where id = ${list.fileId}`)
  const about = { kind: "invoice" as const, id: list.invoiceId, label: invoice!.number }
  const { fileName, sha256 } = list
  await record(cx, [{ type: "RemittanceRemoved", record: about, groupId: null, fileName, sha256 }])
  return {}
})
