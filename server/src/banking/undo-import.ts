import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import { addMonths, formatMonth } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { loadLastClosedMonth } from "../ledger/closed-months.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, refused } from "../platform/calls/commands.ts"
import { sqlState } from "../platform/database/database.ts"
import { lockRecord, readRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { bankStatementDetail } from "./bank-statements.queries.ts"
import { bankAccounts, bankStatements } from "./banking.tables.ts"

/**
 * The lock on the account prevents concurrent imports; foreign keys prevent a concurrent match. The account keeps its
 * opening after its first statement is undone.
 */
export const undoImport = command(bankingContract.undoImport, async (cx) => {
  const { tx, now, actor, input } = cx
  const { statementId } = input
  const { accountId } = await readRecord(tx, bankStatements, statementId, "This statement does not exist.")
  await lockRecord(tx, bankAccounts, accountId)
  const statement = await lockRecord(tx, bankStatements, statementId)
  if (statement.undoneAt !== null) throw refused("UNDONE")
  await expectRemovable(cx, statement)
  await tx.run(
    sql`update bank_statements set undone_by = ${actorUserId(actor)}, undone_at = ${now} where id = ${statementId}`,
  )
  const own = sql`select id from bank_lines where statement_id = ${statementId}`
  await tx.run(sql`
    delete from learned_payers where placement_id in (select id from bank_placements where line_id in (${own}))`)
  await tx.run(sql`delete from bank_matches where line_id in (${own})`)
  await tx.run(sql`delete from bank_placements where line_id in (${own})`)
  await tx.run(sql`delete from bank_declines where line_id in (${own})`)
  const gone = await tx
    .rows(sql`delete from bank_lines where statement_id = ${statementId} returning id`)
    .catch((error: unknown) => {
      // A user matched a line after the check.
      throw sqlState(error) === "23503" ? refused("MATCHED") : error
    })
  const about = { kind: "bank_statement" as const, id: statementId, label: statement.number }
  const { fileName } = statement
  await record(cx, [{ type: "BankStatementUndone", record: about, groupId: null, fileName, lines: gone.length }])
  return bankStatementDetail(cx, statementId)
})

interface Statement {
  id: string
  accountId: string
  fromOn: string
  toOn: string
  number: string
}

async function expectRemovable({ tx }: Cx, { id, accountId, fromOn, toOn, number: own }: Statement): Promise<void> {
  const held = await tx.row<{ matched: number; posted: number; first: string | null }>(sql`
    select count(*) filter (where p.undone_at is null and p.id is not null)::int as matched,
      count(*) filter (where p.kind in ('charge', 'interest') or exists (select from bank_matches m
        join ledger_entries e on e.source = 'receipt-deposit:' || m.id where m.placement_id = p.id))::int as posted,
      min(l.day) as first
    from bank_lines l left join bank_placements p on p.line_id = l.id where l.statement_id = ${id}`)
  const { matched, posted, first } = held!
  if (matched > 0) {
    const some =
      matched === 1 ? "1 line of this statement is matched" : `${matched} lines of this statement are matched`
    throw refused("MATCHED", `${some}. Undo all matches first. Nothing was changed.`)
  }
  if (posted > 0) {
    throw refused(
      "POSTED",
      "A line of this statement was posted to the ledger and reversed, so the import cannot be undone. Nothing was changed.",
    )
  }
  // Numbers are assigned under the account's lock, so they give the order of imports. Start times of two concurrent
  // imports may have the opposite order.
  const later = await tx.row<{ number: string }>(sql`
    select number from bank_statements where account_id = ${accountId} and number > ${own} and undone_at is null
      and known_count > 0 and from_on <= ${toOn}::date and to_on >= ${fromOn}::date
    order by number desc limit 1`)
  if (later) {
    throw refused(
      "SHARED",
      `${later.number} was imported later and contains some of the same lines. Undo its import first. Nothing was changed.`,
    )
  }
  const closed = await loadLastClosedMonth(tx)
  if (closed && first !== null && first < addMonths(closed.month, 1)) {
    throw refused("CLOSED", `This statement has lines in ${formatMonth(first)}, which is closed. Nothing was changed.`)
  }
}
