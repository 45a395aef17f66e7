import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import { bankingSettings } from "@milkwood/domain/banking/banking-settings"
import { sql } from "drizzle-orm"
import { type Cx, command, Refused, refused } from "../platform/calls/commands.ts"
import { isAway } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { type JobCx, job, startJob } from "../platform/work/jobs.ts"
import { placedLines } from "./bank-lines.queries.ts"
import { confirm } from "./confirm-line.ts"
import { holdOpenLines } from "./place-lines.ts"
import { candidatesOf } from "./suggestions.queries.ts"

interface Payload {
  accountId: string
}

const startMatching = (cx: Cx, accountId: string) =>
  startJob(cx, {
    kind: "banking.matchByItself",
    label: "Matching of the bank's lines",
    payload: { accountId } satisfies Payload,
    resultPath: "/invoices/reconciliation",
  })

export const matchByItself = command(bankingContract.matchByItself, async (cx) => {
  const { matchByItself: isOn } = await readSettings(cx.tx, bankingSettings)
  if (!isOn) throw refused("OFF")
  return { jobId: await startMatching(cx, cx.input.accountId) }
})

/** After an import, where the setting allows it. */
export async function matchImported(cx: Cx, statementId: string): Promise<void> {
  const { matchByItself: isOn } = await readSettings(cx.tx, bankingSettings)
  if (!isOn) return
  const of = await cx.tx.row<{ accountId: string }>(
    sql`select account_id as "accountId" from bank_statements where id = ${statementId}`,
  )
  await startMatching(cx, of!.accountId)
}

/** So many lines are looked at together. */
const batch = 500

/**
 * Posts what is sure, one transaction a line: what was posted stays, and a job that begins again after a crash goes on
 * with the lines that are still to be matched. Each is judged anew under its lock.
 */
export const runMatchingByItself = job<Payload>("banking.matchByItself", async (work) => {
  const { accountId } = work.payload
  const { open, upTo } = await work.transaction(async ({ tx }) => ({
    open: await tx.rows<{ id: string }>(sql`
      select l.id from bank_lines l where l.account_id = ${accountId}
        and not exists (select from bank_placements p where p.line_id = l.id)
      order by l.day, l.line, l.id`),
    upTo: (await readSettings(tx, bankingSettings)).matchByItselfUpToCents,
  }))
  let posted = 0
  for (let from = 0; from < open.length; from += batch) {
    const ids = open.slice(from, from + batch).map(({ id }) => id)
    const sure = await work.transaction(async ({ tx }) => {
      const lines = await placedLines(tx, sql`l.id = any (${sql.param(ids)}::uuid[])`)
      const found = await candidatesOf(tx, lines)
      return lines
        .filter(({ id, amountCents }) => amountCents <= upTo && found.get(id)?.[0]?.isSure)
        .map(({ id }) => id)
    })
    for (const lineId of sure) {
      work.signal.throwIfAborted()
      if (await postSure(work, lineId)) posted++
    }
    await work.progress(Math.min(from + batch, open.length), open.length, "Matching lines")
  }
  return { posted }
})

async function postSure(work: JobCx<Payload>, lineId: string): Promise<boolean> {
  try {
    return await work.transaction(async (cx) => {
      const { matchByItself: isOn, matchByItselfUpToCents: upTo } = await readSettings(cx.tx, bankingSettings)
      const [line] = await holdOpenLines(cx, [lineId])
      // What people took back is theirs from then on.
      if (await cx.tx.row(sql`select from bank_placements where line_id = ${lineId}`)) return false
      const [first] = (await candidatesOf(cx.tx, [line!])).get(lineId) ?? []
      if (!isOn || !first?.isSure || line!.amountCents > upTo) return false
      await confirm(cx, line!, first.parts, true)
      return true
    })
  } catch (error) {
    if (isAway(error) || work.signal.aborted || !(error instanceof Refused)) throw error
    // Matched by somebody meanwhile, or its policy takes no money: it stays for people.
    return false
  }
}
