import { join } from "node:path"
import { type Day, formatMonth } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { renderPdf } from "../platform/pdf/pdf.ts"
import { readDocumentSettings } from "../platform/settings/paper.ts"
import { job } from "../platform/work/jobs.ts"
import type { ChecklistDocument } from "./checklist-pdf.ts"

const jobKind = "monthEnd.checklistPaper"

export const checklistJob = (month: Day, payload: { closedMonthId: string }) => ({
  kind: jobKind,
  label: `Checklist of ${formatMonth(month)}`,
  payload,
})

const template = join(import.meta.dirname, "checklist-pdf.ts")

async function loadChecklistDocument({ tx }: Pick<Cx, "tx">, closedMonthId: string): Promise<ChecklistDocument> {
  const found = await tx.row<Pick<ChecklistDocument, "month" | "closedAt" | "closedBy" | "checks">>(sql`
    select c.month, c.closed_at as "closedAt", coalesce(u.name, 'A former user') as "closedBy", s.checks
    from signed_checklists s join closed_months c on c.id = s.closed_month_id left join users u on u.id = c.closed_by
    where c.id = ${closedMonthId}`)
  if (!found) throw refused("NOT_FOUND")
  const { organisation, dateFormat, currency, timezone } = await readDocumentSettings(tx)
  return { ...found, organisation, dateFormat, currency, timezone }
}

export const createChecklistPdf = job<{ closedMonthId: string }>(
  jobKind,
  async ({ payload, app, transaction, complete }) => {
    const { closedMonthId } = payload
    const document = await transaction((cx) => loadChecklistDocument(cx, closedMonthId))
    const content = await renderPdf({ app, line: "records" }, template, () => document)
    await transaction(async (cx) => {
      const kept = await cx.tx.row<{ fileId: string | null }>(sql`
      select file_id as "fileId" from signed_checklists where closed_month_id = ${closedMonthId} for update`)
      if (kept!.fileId === null) {
        const name = `month-end-${document.month.slice(0, 7)}.pdf`
        const file = await cx.app.files.save(cx, {
          ...{ kind: "month_end", name, mime: "application/pdf", groupId: null, content },
        })
        await cx.tx.run(sql`
        update signed_checklists set file_id = ${file.id}, sha256 = ${file.sha256} where closed_month_id = ${closedMonthId}`)
      }
      await complete(cx)
    })
  },
)
