import { randomUUID } from "node:crypto"
import { type ChainState, trailContract } from "@milkwood/domain/settings/trail.contract"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, query, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { sealFileOf, verifyAudit } from "../platform/trail/sealer.ts"
import { job, startJob } from "../platform/work/jobs.ts"

const jobKind = "settings.checkTrail"

async function readChainState({ tx }: Pick<Cx, "tx">): Promise<ChainState> {
  const check = await tx.row<NonNullable<ChainState["check"]>>(sql`
    select c.checked_at as "checkedAt", u.name as "checkedBy", c.rows, c.verified_until as "verifiedUntilAt", c.faults
    from audit_checks c left join users u on u.id = c.checked_by order by c.checked_at desc limit 1`)
  const waiting = (await tx.row<Pick<ChainState, "unsealed" | "oldestUnsealedAt" | "isUnderway">>(sql`
    select (select count(*) from audit_unsealed) as unsealed,
      (select a.at from audit_unsealed u join audit_log a on a.id = u.audit_id order by u.audit_id limit 1) as "oldestUnsealedAt",
      exists (select from jobs where kind = ${jobKind} and state in ('queued', 'running')) as "isUnderway"`))!
  return { check: check ?? null, ...waiting }
}

export const trailChain = query(trailContract.chain, readChainState)

export const requestTrailCheck = command(trailContract.check, async (cx) => {
  if ((await readChainState(cx)).isUnderway) throw refused("UNDERWAY")
  await startJob(cx, { kind: jobKind, label: "Check the audit trail", payload: {}, resultPath: "/settings/audit" })
  return readChainState(cx)
})

export const checkTrail = job(jobKind, async ({ app, transaction, complete }) => {
  const { rows, faults, until } = await verifyAudit(app.database, sealFileOf(app))
  for (const fault of faults) app.log.error(`audit trail: ${fault}`)
  await transaction(async (cx) => {
    await cx.tx.run(sql`
      insert into audit_checks (id, checked_at, checked_by, rows, verified_until, faults)
      values (${randomUUID()}, ${cx.now}, ${actorUserId(cx.actor)}, ${rows}, ${until}::timestamptz, ${sql.param(faults.slice(0, 100))}::text[])`)
    const trail = { kind: "audit_trail", id: null, label: "Audit trail" } as const
    await record(cx, [{ type: "TrailChecked", record: trail, groupId: null, rows, faults: faults.length }])
    await complete(cx, { rows, faults: faults.length })
  })
  return { rows, faults: faults.length }
})
