import type { BankLineRow, LineMatch } from "@milkwood/domain/banking/bank-line-shape"
import { bankLinesList } from "@milkwood/domain/banking/bank-lines.list"
import { type LineState, lineActionsOf } from "@milkwood/domain/banking/bank-placement"
import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List, sumOf } from "../platform/lists/list.ts"

export interface PlacedLine {
  id: string
  accountId: string
  accountName: string
  statementId: string
  statementNumber: string
  day: string
  text: string
  reference: string
  amountCents: number
  balanceCents: number | null
  isMain: boolean
  state: LineState
  note: string
  isAutomatic: boolean
  matches: LineMatch[]
  matchCount: number
}

const columns = sql`
  l.id, l.account_id as "accountId", a.name as "accountName", l.statement_id as "statementId",
  s.number as "statementNumber", l.day, l.text, l.reference, l.amount_cents as "amountCents",
  l.balance_cents as "balanceCents", a.is_main as "isMain", coalesce(p.kind, 'open') as state,
  coalesce(p.note, '') as note, coalesce(p.is_automatic, false) as "isAutomatic", (
    select coalesce(jsonb_agg(jsonb_build_object('kind', case when m.receipt_id is null then 'payout' else 'receipt' end,
      'id', coalesce(m.receipt_id, m.payout_id), 'number', coalesce(r.number, o.number), 'name', coalesce(g.name, o.payee_name),
      'amountCents', m.amount_cents) order by abs(m.amount_cents) desc, m.id), '[]')
    from (select * from bank_matches where placement_id = p.id order by abs(amount_cents) desc, id limit 10) m
    left join receipts r on r.id = m.receipt_id
    left join payouts o on o.id = m.payout_id
    left join employer_groups g on g.id = r.group_id) as matches,
  (select count(*)::int from bank_matches where placement_id = p.id) as "matchCount"`

const lineJoins = sql`
  from bank_lines l
  left join bank_accounts a on a.id = l.account_id
  left join bank_statements s on s.id = l.statement_id
  left join bank_placements p on p.line_id = l.id and p.undone_at is null`

function presentLine(line: PlacedLine, { actor }: Pick<Cx, "actor">): BankLineRow {
  const { isMain: _, ...row } = line
  return { ...row, allowedActions: lineActionsOf(line, hasPermission(ruleActor(actor).role, "banking.write")) }
}

export const placedLines = (tx: Tx, where: SQL): Promise<PlacedLine[]> =>
  tx.rows<PlacedLine>(sql`select ${columns} ${lineJoins} where ${where} order by l.day, l.line, l.id`)

export interface JudgedLine
  extends Pick<PlacedLine, "id" | "accountId" | "isMain" | "day" | "text" | "reference" | "amountCents"> {
  line: number
}

const isUnmatchedLine = (accountId: string) => sql`l.account_id = ${accountId}
  and not exists (select from bank_placements p where p.line_id = l.id)`

export async function countUnmatchedLines(tx: Tx, accountId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(
    sql`select count(*) from bank_lines l where ${isUnmatchedLine(accountId)}`,
  )
  return found!.count
}

export function loadUnmatchedLines(
  tx: Tx,
  accountId: string,
  after: Pick<JudgedLine, "id" | "day" | "line"> | null,
  limit: number,
): Promise<JudgedLine[]> {
  const further = after
    ? sql`(l.day, l.line, l.id) > (${after.day}::date, ${after.line}, ${after.id}::uuid)`
    : sql`true`
  return tx.rows<JudgedLine>(sql`
    select l.id, l.account_id as "accountId", a.is_main as "isMain", l.line, l.day, l.text, l.reference, l.amount_cents as "amountCents"
    from bank_lines l join bank_accounts a on a.id = l.account_id where ${isUnmatchedLine(accountId)} and ${further}
    order by l.day, l.line, l.id limit ${limit}`)
}

export async function bankLineRowsOf(cx: Pick<Cx, "tx" | "actor">, ids: readonly string[]): Promise<BankLineRow[]> {
  const lines = await placedLines(cx.tx, sql`l.id = any (${sql.param([...ids])}::uuid[])`)
  return lines.map((line) => presentLine(line, cx))
}

export const bankLines = new List<typeof bankLinesList, BankLineRow>(bankLinesList, {
  select: () => sql`
    select ${columns}, l.line as _line, l.account_id as "_accountId", l.statement_id as "_statementId",
      lower(l.text) as _text, lower(l.reference) as _reference
    ${lineJoins}`,
  search: (pattern) => [
    { like: matchesPattern(sql`s._text`, pattern) },
    { like: matchesPattern(sql`s._reference`, pattern) },
  ],
  sortColumns: { day: ["day", "_line"] },
  present: presentLine,
})

export const listBankLines = query(bankingContract.lines, async (cx) => {
  const { figures, ...answer } = await bankLines.answer(cx, cx.input)
  return { ...answer, totalCents: figures && sumOf(figures, bankLines.shownValues(cx.input)!, "amountCents") }
})
