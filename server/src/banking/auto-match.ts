import { setImmediate as breath } from "node:timers/promises"
import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import { bankingSettings } from "@milkwood/domain/banking/banking-settings"
import type { Candidate } from "@milkwood/domain/banking/matching"
import type { Currency } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { type Cx, command, Refused, refused } from "../platform/calls/commands.ts"
import { isDatabaseUnavailable, type Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { type JobCx, job, startJob } from "../platform/work/jobs.ts"
import { countUnmatchedLines, type JudgedLine, loadUnmatchedLines } from "./bank-lines.queries.ts"
import { confirm } from "./confirm-line.ts"
import { lockOpenLines } from "./place-lines.ts"
import { PolicyBook } from "./policy-book.queries.ts"
import { candidateRanker, candidatesOf } from "./suggestions.queries.ts"

interface Payload {
  accountId: string
}

const startMatching = (cx: Cx, accountId: string) =>
  startJob(cx, {
    kind: "banking.autoMatch",
    label: "Matching bank lines",
    payload: { accountId } satisfies Payload,
    resultPath: "/invoices/reconciliation",
  })

export const autoMatch = command(bankingContract.autoMatch, async (cx) => {
  const { autoMatch: isOn } = await readSettings(cx.tx, bankingSettings)
  if (!isOn) throw refused("OFF")
  return { jobId: await startMatching(cx, cx.input.accountId) }
})

export async function matchImported(cx: Cx, statementId: string): Promise<void> {
  const { autoMatch: isOn } = await readSettings(cx.tx, bankingSettings)
  if (!isOn) return
  const of = await cx.tx.row<{ accountId: string }>(
    sql`select account_id as "accountId" from bank_statements where id = ${statementId}`,
  )
  await startMatching(cx, of!.accountId)
}

const linesPerBatch = 1_000

/**
 * Ranks the candidates of the account's next unplaced lines, in order of day, and passes them to `look`. Returns the
 * last line, or null at the end. All batches share the cache `book`.
 */
export async function judgeNextBatch(
  tx: Tx,
  { accountId, after, book }: { accountId: string; after: JudgedLine | null; book: PolicyBook },
  look: (line: JudgedLine, candidates: Candidate[]) => void,
  currency: Currency,
): Promise<JudgedLine | null> {
  const lines = await loadUnmatchedLines(tx, accountId, after, linesPerBatch)
  const judge = await candidateRanker(tx, lines, currency, { book })
  for (const [at, line] of lines.entries()) {
    look(line, judge(line))
    if (at % 100 === 99) await breath()
  }
  return lines.at(-1) ?? null
}

/**
 * Posts sure lines in one transaction each. After a crash the job resumes with the open lines. Each line is judged
 * again under its lock.
 */
export const runAutoMatching = job<Payload>("banking.autoMatch", async (work) => {
  const { accountId } = work.payload
  const { open, upTo } = await work.transaction(async ({ tx }) => ({
    open: await countUnmatchedLines(tx, accountId),
    upTo: (await readSettings(tx, bankingSettings)).autoMatchUpToCents,
  }))
  const book = new PolicyBook({ isWhole: open > linesPerBatch })
  let [judged, posted, after] = [0, 0, null as JudgedLine | null]
  do {
    const sure: string[] = []
    after = await work.transaction(({ tx, currency }) =>
      judgeNextBatch(
        tx,
        { accountId, after, book },
        ({ id, amountCents }, [first]) => {
          judged++
          if (first?.isSure && amountCents <= upTo) sure.push(id)
        },
        currency,
      ),
    )
    for (const lineId of sure) {
      work.signal.throwIfAborted()
      if (await postCertainMatch(work, lineId)) posted++
    }
    await work.progress(judged, Math.max(judged, open), "Matching lines")
  } while (after)
  return { posted }
})

async function postCertainMatch(work: JobCx<Payload>, lineId: string): Promise<boolean> {
  try {
    return await work.transaction(async (cx) => {
      const { autoMatch: isOn, autoMatchUpToCents: upTo } = await readSettings(cx.tx, bankingSettings)
      const [line] = await lockOpenLines(cx, [lineId])
      // Leaves lines that a user has undone to users.
      if (await cx.tx.row(sql`select from bank_placements where line_id = ${lineId}`)) return false
      const [first] = (await candidatesOf(cx.tx, [line!], cx.currency)).get(lineId) ?? []
      if (!isOn || !first?.isSure || line!.amountCents > upTo) return false
      await confirm(cx, line!, first.parts, true)
      return true
    })
  } catch (error) {
    if (isDatabaseUnavailable(error) || work.signal.aborted || !(error instanceof Refused)) throw error
    // Another user matched the line meanwhile, or its policy accepts no money: leave it to users.
    return false
  }
}
