import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { UserActor } from "../platform/calls/actor.ts"
import type { DecideAnswer, DecideOrder } from "./claim-race.process.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createRoutedClaim } from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let processes: ChildProcess[]

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Race Course Catering")
  const program = fileURLToPath(new URL("./claim-race.process.ts", import.meta.url))
  processes = [1, 2].map(() => fork(program, [app.app.database.ownerUrl], { execArgv: [] }))
  await Promise.all(processes.map((process) => once(process, "message")))
})
afterAll(async () => {
  for (const process of processes) process.kill()
  await Promise.all(processes.map((process) => process.exitCode ?? process.signalCode ?? once(process, "exit")))
  await app.close()
})

test("two processes decide one claim 100 times: one wins, the other gets NO_PENDING_STEP", async () => {
  const racers: UserActor[] = [scene.people.hr2, await app.people.groupAdmin(scene.groupId)]
  for (let round = 0; round < 100; round++) {
    const { id: claimId, version } = await createRoutedClaim(scene.cast, scene.sample)
    const at = performance.timeOrigin + performance.now() + 5
    const answers = await Promise.all(
      processes.map(async (process, index) => {
        const answer = once(process, "message")
        process.send({ actor: racers[index]!, claimId, version, at } satisfies DecideOrder)
        return (await answer)[0] as DecideAnswer
      }),
    )
    expect([...answers].sort()).toEqual(["No pending approval step", "approved"])
    const winner = answers.indexOf("approved")
    const decided = await app.sql.rows(sql`
      select stage, decided_by as "decidedBy", approved_amount_cents as cents from claim_approvals
      where claim_id = ${claimId} and status = 'approved'`)
    expect(decided).toEqual([{ stage: "group_admin", decidedBy: racers[winner]!.userId, cents: 50_000_00 }])
    const [claim] = await app.sql.rows(sql`select status, version from claims where id = ${claimId}`)
    expect(claim).toEqual({ status: "pending_underwriter", version: version + 1 })
    const facts = await app.sql.rows(sql`
      select actor_id as "actorId" from audit_log where record_id = ${claimId} and fact = 'ClaimDecided'`)
    expect(facts).toEqual([{ actorId: racers[winner]!.userId }])
  }
}, 120_000)
