import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { maxEditableMemberLines } from "@milkwood/domain/billing/invoice-form"
import { sql } from "drizzle-orm"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import { countLines, loadLinePage, loadMemberMonths, loadStoredLines, sumMemberCents } from "./invoice-lines.queries.ts"
import { isVisibleTo } from "./invoices.queries.ts"

async function expectVisible({ tx, actor }: Pick<Cx, "tx" | "actor">, invoiceId: string): Promise<void> {
  const found = await tx.row(sql`select from invoices i where i.id = ${invoiceId} and ${isVisibleTo(actor)}`)
  if (!found) throw refused("NOT_FOUND")
}

export const readLines = query(billingContract.lines, async (cx) => {
  const { invoiceId, page } = cx.input
  await expectVisible(cx, invoiceId)
  const { lineCount } = await countLines(cx.tx, invoiceId)
  return { rows: await loadLinePage(cx.tx, cx.actor, invoiceId, page), total: lineCount }
})

export const readDraftLines = query(billingContract.draftLines, async (cx) => {
  const { invoiceId } = cx.input
  await expectVisible(cx, invoiceId)
  const { lineCount, members } = await countLines(cx.tx, invoiceId)
  if (lineCount <= maxEditableMemberLines) return { lines: await loadStoredLines(cx.tx, invoiceId), kept: null }
  return {
    lines: await loadStoredLines(cx.tx, invoiceId, sql`l.member_id is null`),
    kept: {
      members,
      subtotalCents: await sumMemberCents(cx.tx, invoiceId),
      months: await loadMemberMonths(cx.tx, invoiceId),
    },
  }
})
