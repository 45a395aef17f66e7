import { randomUUID } from "node:crypto"
import { type NotOursReason, notOursNames } from "@milkwood/domain/banking/bank-placement"
import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import { lineWordsOf } from "@milkwood/domain/banking/line-words"
import type { Candidate } from "@milkwood/domain/banking/matching"
import type { LearntPayer } from "@milkwood/domain/banking/matching.contract"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, query, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import type { PlacedLine } from "./bank-lines.queries.ts"
import { bankDeclines, learnedPayers } from "./banking.tables.ts"
import { lineFactHead, lockOpenLines, type PlacementIdsByLine } from "./place-lines.ts"
import { candidatesOf, suggestionsOf } from "./suggestions.queries.ts"

export type Owner = { policyId: string; groupId: string } | { reason: NotOursReason }

async function countDecision(
  cx: Cx,
  line: PlacedLine,
  owner: Owner,
  said: "confirmed" | "declined",
): Promise<string | null> {
  const { payer } = lineWordsOf(line)
  if (payer === "") return null
  const { policyId, groupId, reason } = { policyId: null, groupId: null, reason: null, ...owner }
  const conflict = sql.raw(reason === null ? "policy_id" : "reason")
  const kept = await cx.tx.row<{ id: string }>(sql`
    insert into bank_payers (id, payer, policy_id, group_id, reason, ${sql.raw(said)}, last_at)
    values (${randomUUID()}, ${payer}, ${policyId}, ${groupId}, ${reason}, 1, ${cx.now})
    on conflict (payer, ${conflict}) where forgotten_at is null and ${conflict} is not null
    do update set ${sql.raw(said)} = bank_payers.${sql.raw(said)} + 1, last_at = excluded.last_at
    returning id`)
  return kept!.id
}

export async function learn(
  cx: Cx,
  placed: PlacementIdsByLine,
  lessons: readonly { line: PlacedLine; owner: Owner }[],
): Promise<void> {
  for (const { line, owner } of lessons) {
    const payerId = await countDecision(cx, line, owner, "confirmed")
    if (payerId)
      await cx.tx
        .insert(learnedPayers)
        .values({ placementId: placed.get(line.id)!, payerId })
        .onConflictDoNothing()
  }
}

export async function unlearn({ tx }: Pick<Cx, "tx">, placementIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    update bank_payers p set confirmed = confirmed - l.count
    from (select payer_id, count(*) from learned_payers where placement_id = any (${sql.param([...placementIds])}::uuid[]) group by payer_id) l
    where p.id = l.payer_id`)
}

export const declineCandidate = command(bankingContract.decline, async (cx) => {
  const { lineId, key } = cx.input
  const [line] = await lockOpenLines(cx, [lineId])
  const offered = (await candidatesOf(cx.tx, [line!], cx.currency)).get(lineId)!
  const declined = offered.find((candidate) => candidate.key === key)
  // Another user declined the candidate meanwhile, or it has no evidence any more.
  if (!declined) return suggestionsOf(line!, offered)
  await cx.tx.insert(bankDeclines).values({ lineId, key, declinedBy: actorUserId(cx.actor), declinedAt: cx.now })
  for (const owner of await ownersOf(cx, declined)) await countDecision(cx, line!, owner, "declined")
  await record(cx, [{ ...lineFactHead(line!), type: "BankSuggestionDeclined", records: labelOf(declined) }])
  return suggestionsOf(line!, (await candidatesOf(cx.tx, [line!], cx.currency)).get(lineId)!)
})

const labelOf = ({ parts, reason }: Candidate): string =>
  reason ? notOursNames[reason].toLowerCase() : parts.map(({ label }) => label).join(", ")

async function ownersOf({ tx }: Pick<Cx, "tx">, { parts, reason }: Candidate): Promise<Owner[]> {
  if (reason) return [{ reason }]
  const ids = parts.flatMap(({ as, id }) => (as === "policy" ? [id] : []))
  return tx.rows<{ policyId: string; groupId: string }>(
    sql`select id as "policyId", group_id as "groupId" from policies where id = any (${sql.param(ids)}::uuid[]) order by id`,
  )
}

export const listPayers = query(bankingContract.payers, ({ tx, input }) =>
  tx.rows<LearntPayer>(sql`
    select id, payer, reason, confirmed, declined, last_at as "lastAt" from bank_payers
    where forgotten_at is null and ${input.policyId === null ? sql`policy_id is null` : sql`policy_id = ${input.policyId}`}
      and (confirmed > 0 or declined > 0)
    order by last_at desc, id limit 500`),
)

export const forgetPayer = command(bankingContract.forgetPayer, async (cx) => {
  const { payerId } = cx.input
  const gone = await cx.tx.row<{
    payer: string
    policyId: string | null
    groupId: string | null
    number: string | null
    reason: string | null
  }>(sql`
    update bank_payers b set forgotten_at = ${cx.now}, forgotten_by = ${actorUserId(cx.actor)}
    where id = ${payerId} and forgotten_at is null
    returning payer, policy_id as "policyId", group_id as "groupId", reason,
      (select number from policies p where p.id = b.policy_id) as number`)
  if (!gone) throw refused("NOT_FOUND", "This payer is already removed.")
  const { payer, policyId, number } = gone
  await record(cx, [
    {
      type: "BankPayerForgotten",
      record: policyId
        ? { kind: "policy", id: policyId, label: number! }
        : { kind: "bank_payer", id: payerId, label: payer },
      groupId: null,
      payer,
    },
  ])
  return {}
})
