import { join } from "node:path"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { listInput } from "@milkwood/domain/kernel/list-shape"
import { reconciliationList } from "@milkwood/domain/reconciliation/reconciliation.list"
import { sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { exported, nameOf, readExport, taken } from "../http/list-export.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, invalid } from "../platform/calls/commands.ts"
import { renderPdf } from "../platform/pdf/pdf.ts"
import { paperSettings } from "../platform/settings/paper.ts"
import { record } from "../platform/trail/facts.ts"
import { reconciliation } from "./reconciliation-list.queries.ts"
import type { PaperRow, ReconciliationPaper } from "./reconciliation-pdf.ts"

const template = join(import.meta.dirname, "reconciliation-pdf.ts")

/** About forty pages. */
const mostRows = 2_000

const columns = [
  ...["month", "groupName", "expectedCents", "receivedCents", "differenceCents", "status", "reconciledOn", "notes"],
] as const

type Asked = ReturnType<ReturnType<typeof listInput<typeof reconciliationList>>["parse"]>

async function filtersOf({ tx }: Pick<Cx, "tx">, asked: Asked): Promise<string> {
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

/** Filtered or selected rows; the export is audited. */
export const reconciliationPdf = download(
  {
    path: `/api/${reconciliationList.key}.pdf`,
    permission: reconciliationList.permission,
    summary: "Export employer months as PDF",
    words: { query: exported(listInput(reconciliationList)) },
  },
  async ({ app, actor, query, signal, transaction }) => {
    const { asked, ids } = readExport(listInput(reconciliationList), query)
    const { today, document } = await transaction(
      async (cx): Promise<{ today: string; document: ReconciliationPaper }> => {
        const statement = reconciliation.export(asked, cx, columns, { only: ids })
        const rows = await cx.tx.rows<PaperRow>(sql`select * from (${statement}) listed limit ${mostRows + 1}`)
        if (rows.length > mostRows) {
          throw invalid([], `A PDF can have at most ${mostRows} months. Filter the table, or export it to Excel.`)
        }
        const { organisation, dateFormat, currency } = await paperSettings(cx.tx)
        await record(cx, [taken(reconciliationList.key)])
        const createdAt = cx.now.toString()
        return {
          today: cx.today,
          document: { organisation, dateFormat, currency, createdAt, filters: await filtersOf(cx, asked), rows },
        }
      },
    )
    const printing = { app, line: "downloads" as const, signal, owner: actorUserId(actor) ?? "" }
    const bytes = await renderPdf<ReconciliationPaper>(printing, template, () => document)
    return { name: `${nameOf(reconciliationList.key, {}, today)}.pdf`, mime: "application/pdf", bytes }
  },
)
