import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { maxEditableMemberLines } from "@milkwood/domain/billing/invoice-form"
import { sql } from "drizzle-orm"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import { centsOfMembers, lineCounts, linesOnPage, monthsOfMembers, storedLines } from "./invoice-lines.queries.ts"
import { visibleTo } from "./invoices.queries.ts"

async function expectVisible({ tx, actor }: Pick<Cx, "tx" | "actor">, invoiceId: string): Promise<void> {
  const found = await tx.row(sql`select from invoices i where i.id = ${invoiceId} and ${visibleTo(actor)}`)
  if (!found) throw refused("NOT_FOUND")
}

export const lines = query(billingContract.lines, async (cx) => {
  const { invoiceId, page } = cx.input
  await expectVisible(cx, invoiceId)
  const { lineCount } = await lineCounts(cx.tx, invoiceId)
  return { rows: await linesOnPage(cx.tx, cx.actor, invoiceId, page), total: lineCount }
})

export const draftLines = query(billingContract.draftLines, async (cx) => {
  const { invoiceId } = cx.input
  await expectVisible(cx, invoiceId)
  const { lineCount, members } = await lineCounts(cx.tx, invoiceId)
  if (lineCount <= maxEditableMemberLines) return { lines: await storedLines(cx.tx, invoiceId), kept: null }
  return {
    lines: await storedLines(cx.tx, invoiceId, sql`l.member_id is null`),
    kept: {
      members,
      subtotalCents: await centsOfMembers(cx.tx, invoiceId),
      months: await monthsOfMembers(cx.tx, invoiceId),
    },
  }
})
