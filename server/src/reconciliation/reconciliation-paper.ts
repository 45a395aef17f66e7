import { join } from "node:path"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { listInput } from "@milkwood/domain/kernel/list-shape"
import { reconciliationList } from "@milkwood/domain/reconciliation/reconciliation.list"
import { sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { exportFileName, exportInputOf, listExportedFact, readExport } from "../http/list-export.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, invalidInput } from "../platform/calls/commands.ts"
import { renderPdf } from "../platform/pdf/pdf.ts"
import { readDocumentSettings } from "../platform/settings/paper.ts"
import { record } from "../platform/trail/facts.ts"
import { reconciliation } from "./reconciliation-list.queries.ts"
import type { DocumentRow, ReconciliationDocument } from "./reconciliation-pdf.ts"

const template = join(import.meta.dirname, "reconciliation-pdf.ts")

/** Maximum rows: about forty pages. */
const maxPdfRows = 2_000

const columns = [
  ...["month", "groupName", "expectedCents", "receivedCents", "differenceCents", "status", "reconciledOn", "notes"],
] as const

type ListRequest = ReturnType<ReturnType<typeof listInput<typeof reconciliationList>>["parse"]>

async function filterText({ tx }: Pick<Cx, "tx">, asked: ListRequest): Promise<string> {
  const { groupId } = asked
  const groups = groupId
    ? await tx.rows<{ name: string }>(
        sql`select name from employer_groups where id = any (${sql.param(groupId.split(","))}::uuid[]) order by 1`,
      )
    : []
  const status = asked.status ?? (asked.tab === "all" ? null : asked.tab)
  return [
    ...(asked.month ? [formatMonth(`${asked.month}-01`)] : []),
    ...(status ? [status] : []),
    ...(asked.unresolved ? ["unresolved"] : []),
    ...(asked.search ? [`“${asked.search}”`] : []),
    ...groups.map(({ name }) => name),
  ].join(" · ")
}

/** Exports filtered or selected rows; each export is audited. */
export const reconciliationPdf = download(
  {
    path: `/api/${reconciliationList.key}.pdf`,
    permission: reconciliationList.permission,
    summary: "Export the premium reconciliation as PDF",
    words: { query: exportInputOf(listInput(reconciliationList)) },
  },
  async ({ app, actor, query, signal, transaction }) => {
    const { asked, ids } = readExport(listInput(reconciliationList), query)
    const { today, document } = await transaction(
      async (cx): Promise<{ today: string; document: ReconciliationDocument }> => {
        const statement = reconciliation.export(asked, cx, columns, { only: ids })
        const rows = await cx.tx.rows<DocumentRow>(sql`select * from (${statement}) listed limit ${maxPdfRows + 1}`)
        if (rows.length > maxPdfRows) {
          throw invalidInput([], `A PDF can have at most ${maxPdfRows} rows. Filter the table, or export it to Excel.`)
        }
        const { organisation, dateFormat, currency } = await readDocumentSettings(cx.tx)
        await record(cx, [listExportedFact(reconciliationList.key)])
        const createdAt = cx.now.toString()
        return {
          today: cx.today,
          document: { organisation, dateFormat, currency, createdAt, filters: await filterText(cx, asked), rows },
        }
      },
    )
    const printing = { app, line: "downloads" as const, signal, owner: actorUserId(actor) ?? "" }
    const bytes = await renderPdf<ReconciliationDocument>(printing, template, () => document)
    return { name: `${exportFileName(reconciliationList.key, {}, today)}.pdf`, mime: "application/pdf", bytes }
  },
)
