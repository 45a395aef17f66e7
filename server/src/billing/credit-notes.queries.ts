import { creditNoteActionsOf } from "@milkwood/domain/billing/credit-note"
import type { CreditNoteDetail, ListedCreditNote } from "@milkwood/domain/billing/credit-note-shape"
import { creditNotesContract } from "@milkwood/domain/billing/credit-notes.contract"
import { creditNotesList } from "@milkwood/domain/billing/credit-notes.list"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import { timeline } from "../platform/trail/facts.ts"
import { hasUndeliveredMail, loadMails, mailState } from "./delivery.queries.ts"

const row = sql`
  c.id, c.number, c.kind, c.group_id as "groupId", g.name as "groupName", c.policy_id as "policyId", p.number as "policyNumber",
  c.invoice_id as "invoiceId", i.number as "invoiceNumber", c.credited_on as "creditedOn", c.vat_cents as "vatCents",
  c.total_cents as "totalCents", c.reason, c.created_at as "createdAt"`

const creditNoteJoins = sql`
  left join invoices i on i.id = c.invoice_id
  left join policies p on p.id = c.policy_id
  left join employer_groups g on g.id = c.group_id`

export const creditNotes = new List<typeof creditNotesList, ListedCreditNote>(creditNotesList, {
  select: ({ actor }) => sql`
    select ${row}, ${mailState(actor, "credit_note", sql`c.id`)} as mail, c.group_id as "_groupId", c.policy_id as "_policyId", lower(c.number) as "_number",
      lower(i.number) as "_invoice", lower(g.name) as "_group", p.number as "_policyNumber", lower(p.number) as "_policy"
    from credit_notes c ${creditNoteJoins}`,
  groupScoped: true,
  search: (pattern) => [
    { like: matchesPattern(sql`s._number`, pattern) },
    { like: matchesPattern(sql`s._invoice`, pattern) },
    { like: matchesPattern(sql`s._group`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
  ],
  filters: { undelivered: (_: true, { actor }) => hasUndeliveredMail(actor, "credit_note") },
  sortColumns: { groupName: ["_group"], policyNumber: ["_policyNumber"], createdAt: ["createdAt", "number"] },
  present: (found: Omit<ListedCreditNote, "allowedActions">, { actor }: Pick<Cx, "actor">) => ({
    ...found,
    allowedActions: creditNoteActionsOf(ruleActor(actor).role),
  }),
})

export const listCreditNotes = query(creditNotesContract.list, async (cx) => {
  const { figures: _, ...answer } = await creditNotes.answer(cx, cx.input)
  return answer
})

export const loadNoteLines = ({ tx }: Pick<Cx, "tx">, creditNoteId: string, limit: number) =>
  tx.rows<CreditNoteDetail["lines"][number]>(sql`
    select c.id, l.description, c.billed_month as "billedMonth", c.net_cents as "netCents", c.vat_cents as "vatCents"
    from credit_note_lines c join invoice_lines l on l.id = c.invoice_line_id
    where c.credit_note_id = ${creditNoteId} order by c.position limit ${limit}`)

/** NOT_FOUND unless the actor may see it. */
export async function creditNoteDetail(cx: Cx, creditNoteId: string): Promise<CreditNoteDetail> {
  const found = await cx.tx.row<
    Omit<CreditNoteDetail, "lines" | "lineCount" | "mails" | "timeline" | "allowedActions">
  >(sql`
    select ${row}, ${mailState(cx.actor, "credit_note", sql`c.id`)} as mail, c.net_cents as "netCents", c.discount_cents as "discountCents", c.mail_to as "mailTo", u.name as "createdByName"
    from credit_notes c ${creditNoteJoins} left join users u on u.id = c.created_by where c.id = ${creditNoteId}`)
  if (!found) throw refused("NOT_FOUND")
  const counted = await cx.tx.row<{ lineCount: number }>(sql`
    select count(*)::int as "lineCount" from credit_note_lines where credit_note_id = ${creditNoteId}`)
  return {
    ...found,
    lines: await loadNoteLines(cx, creditNoteId, 100),
    lineCount: counted!.lineCount,
    mails: await loadMails(cx, "credit_note", creditNoteId),
    timeline: await timeline(cx, "credit_note", creditNoteId),
    allowedActions: creditNoteActionsOf(ruleActor(cx.actor).role),
  }
}

export const readCreditNote = query(creditNotesContract.detail, (cx) => creditNoteDetail(cx, cx.input.creditNoteId))

export const creditNoteActivity = query(creditNotesContract.activity, async (cx) => {
  await creditNoteDetail(cx, cx.input.creditNoteId)
  return timeline(cx, "credit_note", cx.input.creditNoteId, cx.input)
})
