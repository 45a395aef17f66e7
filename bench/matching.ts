import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Candidate } from "@milkwood/domain/banking/matching"
import { sql } from "drizzle-orm"
import { judgeNextBatch } from "../server/src/banking/auto-match.ts"
import type { JudgedLine } from "../server/src/banking/bank-lines.queries.ts"
import { createBankAccount } from "../server/src/banking/banking.samples.ts"
import { PolicyBook } from "../server/src/banking/policy-book.queries.ts"
import type { Tx } from "../server/src/platform/database/database.ts"
import { withClient } from "../server/src/platform/database/with-client.ts"
import { createActivePolicy } from "../server/src/policies/policies.samples.ts"
import { startTestPostgres } from "../server/src/runtime/postgres.ts"
import { testPostgresVariable } from "../server/src/runtime/test-postgres.setup.ts"
import { openTestApp } from "../server/src/test/app.ts"
import { type Bench, measureMs, median, percentile95, requireTrue, runAlternately } from "./measure.ts"
import { processorTime } from "./processor-time.ts"

const today = "2026-11-20"
const loadSqlScript = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8")

/**
 * Matches bank lines against as many open invoices with known answers. The product ranks candidates with reasons, as in
 * automatic matching. The reference is one statement that joins on known formats.
 */
export const matching: Bench = {
  name: "matching",
  async run(say, flags) {
    const lines = flags.has("small") ? 10_000 : 100_000
    const postgres = await startTestPostgres()
    process.env[testPostgresVariable] = postgres.url
    const house = await openTestApp({ now: `${today}T08:00:00Z` })
    try {
      const { id: accountId } = await createBankAccount(house.as(house.people.admin))
      await createActivePolicy(house.as(house.people.manager), { groupName: "Acacia Foods" })
      await withClient(house.app.database.ownerUrl, async (client) => {
        const settings = { policies: String(lines / 10), account: accountId, today }
        for (const [name, value] of Object.entries(settings)) await client.query(`set book.${name} = '${value}'`)
        await client.query(loadSqlScript("book-ground.sql") + loadSqlScript("matching-book.sql"))
        await client.query("grant select on bench_truth to milkwood_staff")
        await client.query("vacuum analyze")
      })
      const staff = house.app.database.direct("staff")
      const { right, wrong, silent, sure } = await compareWithTruth(staff, accountId)
      say(`${lines} lines: ${right} right, ${wrong.length} wrong, ${silent} without a suggestion; ${sure} certain`)
      for (const one of wrong.slice(0, 5)) say(`wrong: ${one}`)
      requireTrue(wrong.length === 0, "no first suggestion is wrong")

      const work = { ours: 0, reference: 0 }
      const measured = (which: keyof typeof work, run: () => Promise<unknown>) => async () => {
        const before = processorTime(process.pid, postgres.pid())
        const ms = await measureMs(run)
        work[which] += processorTime(process.pid, postgres.pid()) - before
        return ms
      }
      const taken = await runAlternately(
        flags.has("once") ? 1 : 3,
        measured("ours", () => judgeAll(staff, accountId)),
        measured("reference", async () =>
          requireTrue((await joinByReference(staff)).length === lines * 0.99, "the join finds them all"),
        ),
      )
      const manager = house.as(house.people.manager)
      const ids = await staff.rows<{ id: string }>(sql`select id from bank_lines order by day, line`)
      const pages: number[] = []
      const before = processorTime(process.pid, postgres.pid())
      for (let page = 0; page < 40; page++) {
        const lineIds = ids.slice(page * 60, page * 60 + 25).map(({ id }) => id)
        pages.push(await measureMs(() => manager.banking.suggestions({ lineIds })))
      }
      const pageWork = (processorTime(process.pid, postgres.pid()) - before) / pages.length
      return [
        {
          what: `suggestions for ${lines} lines among ${lines} open invoices`,
          ...{ ours: taken.ours, reference: taken.reference, unit: "ms" as const },
          against: "one statement that joins and ranks them",
          atMost: 4,
          also: [
            {
              what: "CPU time relative to the statement",
              value: work.ours / work.reference,
              unit: "",
              atMost: 4,
            },
            { what: "suggestions for 25 lines, median", value: median(pages), unit: "ms" },
            { what: "… 95th percentile", value: percentile95(pages), unit: "ms", atMost: 150 },
            { what: "… CPU time of one call", value: pageWork, unit: "ms" },
          ],
        },
      ]
    } finally {
      await house.close()
      await postgres.close()
    }
  },
}

type OnJudged = (line: JudgedLine, candidates: readonly Candidate[]) => void

async function judgeAll(tx: Tx, accountId: string, look: OnJudged = () => {}): Promise<void> {
  const book = new PolicyBook({ isWhole: true })
  let after: JudgedLine | null = null
  do after = await judgeNextBatch(tx, { accountId, after, book }, look, "ZAR")
  while (after)
}

async function compareWithTruth(tx: Tx, accountId: string) {
  const rows = await tx.rows<{ id: string; policyId: string | null; invoiceId: string | null }>(
    sql`select line_id as id, policy_id as "policyId", invoice_id as "invoiceId" from bench_truth`,
  )
  const truth = new Map(rows.map((row) => [row.id, row]))
  const sums = { right: 0, silent: 0, sure: 0, wrong: [] as string[] }
  await judgeAll(tx, accountId, ({ id, text, amountCents }, [first]) => {
    const { policyId, invoiceId } = truth.get(id)!
    if (!first) return void sums.silent++
    const paid = first.parts.flatMap(({ id, allocations }) =>
      (allocations ?? []).map((one) => `${id} ${one.invoiceId}`),
    )
    const isTrue = policyId ? paid.join() === `${policyId} ${invoiceId}` : first.reason === "charge"
    if (first.isSure) sums.sure++
    if (isTrue) sums.right++
    else sums.wrong.push(`${text}, ${amountCents}: ${first.reasons.map(({ sentence }) => sentence).join("; ")}`)
  })
  return sums
}

export const joinByReference = (tx: Tx) =>
  tx.rows<{ id: string; invoiceId: string }>(sql`
    with lines as materialized (
      select l.id, l.amount_cents as cents, regexp_match(l.text, 'INV-([0-9O]{4})-([0-9O]+)') as invoice,
        substring(l.text from 'GP-[0-9]{4}-[0-9]{6}') as policy, substring(l.text from 'BUREAU [A-Z]+') as payer,
        regexp_replace(regexp_replace(l.text, '^(ACB CREDIT|FNB APP PAYMENT FROM|IB PAYMENT FROM|MAGTAPE CREDIT) ', ''),
          ' ?(INV-[0-9O]{4}-[0-9O]+|GP-[0-9]{4}-[0-9]{6}|PREMIUM)$', '') as name
      from bank_lines l where not exists (select from bank_placements p where p.line_id = l.id)),
    open as materialized (
      select id, number, policy_id, due_on, total_cents - credited_cents - allocated_cents - written_off_cents as cents
      from invoices where status = 'sent' and credited_cents + allocated_cents + written_off_cents < total_cents),
    few as materialized (
      select cents, (array_agg(id))[1] as id, min(due_on) as due_on from open group by cents having count(*) = 1),
    named as materialized (
      select p.id, upper(regexp_replace(regexp_replace(g.name, ' (\\(Pty\\) Ltd|CC|Ltd)$', ''), '[^A-Za-z ]', '', 'g')) as name
      from employer_groups g join policies p on p.group_id = g.id),
    hits as (
      select l.id, i.id as invoice, 1 as rank, i.due_on from lines l join open i
        on i.number = 'INV-' || translate(l.invoice[1], 'O', '0') || '-' || lpad(translate(l.invoice[2], 'O', '0'), 6, '0')
      union all
      select l.id, i.id, 2, i.due_on from lines l join policies p on p.number = l.policy
        join open i on i.policy_id = p.id and i.cents = l.cents
      union all
      select l.id, i.id, 3, i.due_on from lines l join bank_payers b on b.payer = l.payer
        join open i on i.policy_id = b.policy_id and i.cents = l.cents
      union all
      select l.id, i.id, 4, i.due_on from lines l join named n on n.name = l.name
        join open i on i.policy_id = n.id and i.cents = l.cents
      union all
      select l.id, i.id, 5, i.due_on from lines l join few i on i.cents = l.cents)
    select distinct on (id) id, invoice as "invoiceId" from hits order by id, rank, due_on`)
