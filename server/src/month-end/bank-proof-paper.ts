import { join } from "node:path"
import { type BankProof, proofKindNames } from "@milkwood/domain/banking/bank-proof"
import { type Day, formatMonth, isoMonthOf } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { toCsv } from "../platform/lists/csv.ts"
import { unitsOf } from "../platform/lists/file-column.ts"
import { renderPdf } from "../platform/pdf/pdf.ts"
import { readDocumentSettings } from "../platform/settings/paper.ts"
import { job } from "../platform/work/jobs.ts"
import { bankProofOf } from "./bank-proof.queries.ts"
import type { BankProofDocument } from "./bank-proof-pdf.ts"

const template = join(import.meta.dirname, "bank-proof-pdf.ts")
const jobKind = "monthEnd.reconciliationPaper"

export const reconciliationJob = (month: Day, payload: { closedMonthId: string }) => ({
  kind: jobKind,
  label: `Bank reconciliation of ${formatMonth(month)}`,
  payload,
})

async function documentOf(
  { tx, now }: Pick<Cx, "tx" | "now">,
  proof: BankProof,
  closed: BankProofDocument["closed"],
): Promise<BankProofDocument> {
  const { organisation, dateFormat, currency, timezone } = await readDocumentSettings(tx)
  return { organisation, dateFormat, currency, timezone, createdAt: closed?.at ?? now.toString(), closed, proof }
}

export const loadCurrentDocument = async (cx: Pick<Cx, "tx" | "now">, month: Day): Promise<BankProofDocument> =>
  documentOf(cx, await bankProofOf(cx, month), null)

/** Call it outside a transaction. */
export const bankProofPdf = (
  printing: Parameters<typeof renderPdf>[0],
  document: () => BankProofDocument | Promise<BankProofDocument>,
): Promise<Buffer> => renderPdf(printing, template, document)

interface Row {
  account: string
  accountNumber: string
  section: string
  on: Day | null
  number: string
  name: string
  countsOn: Day | null
  cents: number | null
}

/** The rows of an account that precede its row "must have" add up to that row. */
function csvRowsOf({ accounts, day, ledgerCents, undepositedCents }: BankProof): Row[] {
  const empty = { on: day, number: "", name: "", countsOn: null }
  const rows = accounts.flatMap(({ name: account, accountNumber, statement, groups, ...figures }): Row[] => {
    const of = { account, accountNumber, ...empty }
    return [
      ...(statement
        ? [{ ...of, section: "Statement balance", number: statement.number ?? "", cents: statement.cents }]
        : [{ ...of, section: "No statement", cents: null }]),
      ...groups.flatMap(({ kind, items }) =>
        items.map(({ on, number, name, countsOn, amountCents: cents }) => {
          return { account, accountNumber, section: proofKindNames[kind], on, number, name, countsOn, cents }
        }),
      ),
      ...(statement ? [{ ...of, section: "Expected ledger balance", cents: figures.expectedCents }] : []),
      { ...of, section: "Ledger balance", cents: figures.ledgerCents },
      { ...of, section: statement ? "Unexplained difference" : "Not verified", cents: figures.unexplainedCents },
    ]
  })
  const all = { account: "All accounts", accountNumber: "", ...empty }
  return [
    ...rows,
    { ...all, section: "Ledger bank balance", cents: ledgerCents },
    { ...all, section: "Undeposited", cents: undepositedCents },
  ]
}

export const bankProofCsv = (proof: BankProof): Buffer =>
  toCsv<Row>(
    [
      { title: "Account", value: ({ account }) => account },
      { title: "Account number", value: ({ accountNumber }) => accountNumber },
      { title: "Section", value: ({ section }) => section },
      { title: "Date", value: ({ on }) => on },
      { title: "Number", value: ({ number }) => number },
      { title: "Name", value: ({ name }) => name },
      { title: "Tax point", value: ({ countsOn }) => countsOn },
      { title: "Amount", value: ({ cents }) => unitsOf(cents) },
    ],
    csvRowsOf(proof),
  )

export const createReconciliationPdf = job<{ closedMonthId: string }>(
  jobKind,
  async ({ payload, app, transaction, complete }) => {
    const { closedMonthId } = payload
    const document = await transaction(async (cx) => {
      const signed = await cx.tx.row<{ content: BankProof; at: string; by: string }>(sql`
        select s.content, c.closed_at as at, coalesce(u.name, 'A former user') as by
        from signed_reconciliations s join closed_months c on c.id = s.closed_month_id left join users u on u.id = c.closed_by
        where c.id = ${closedMonthId}`)
      if (!signed) throw refused("NOT_FOUND")
      const { content, at, by } = signed
      return documentOf(cx, content, { at, by })
    })
    const pdf = await bankProofPdf({ app, line: "records" }, () => document)
    const csv = bankProofCsv(document.proof)
    await transaction(async (cx) => {
      const kept = await cx.tx.row<{ fileId: string | null }>(sql`
        select pdf_file_id as "fileId" from signed_reconciliations where closed_month_id = ${closedMonthId} for update`)
      if (kept!.fileId === null) {
        const name = `bank-reconciliation-${isoMonthOf(document.proof.month)}`
        const of = { kind: "month_end", groupId: null }
        const made = {
          pdf: await cx.app.files.save(cx, { ...of, name: `${name}.pdf`, mime: "application/pdf", content: pdf }),
          csv: await cx.app.files.save(cx, { ...of, name: `${name}.csv`, mime: "text/csv", content: csv }),
        }
        await cx.tx.run(sql`
          update signed_reconciliations set pdf_file_id = ${made.pdf.id}, pdf_sha256 = ${made.pdf.sha256},
            csv_file_id = ${made.csv.id}, csv_sha256 = ${made.csv.sha256} where closed_month_id = ${closedMonthId}`)
      }
      await complete(cx)
    })
  },
)
