import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSampleBenefits } from "../benefits/benefits.samples.ts"
import { createMember } from "../members/members.samples.ts"
import { sealFileOf, verifyAudit } from "../platform/trail/sealer.ts"
import { createDraftPolicy } from "../policies/policies.samples.ts"
import { findPlantedText } from "../test/planted.ts"
import { RealServer } from "../test/real-server.ts"

let server: RealServer
let policyId: string

beforeAll(async () => {
  server = await RealServer.started(
    `create trigger naming after update on members for each row when (new.forgotten_on is not null and old.forgotten_on is null) execute function stand_still('naming');
    create trigger telling before insert on audit_log for each row when (new.fact = 'MemberForgotten') execute function stand_still('telling');
    create constraint trigger committing after update on retention_runs deferrable initially deferred for each row
      when (new.state = 'removing' and new.removed <> old.removed) execute function stand_still('committing');
    create trigger ending before update on retention_runs for each row when (new.state = 'done') execute function stand_still('ending');`,
  )
  await createSampleBenefits(server.client)
  const draft = await createDraftPolicy(server.client, { groupName: "Long Ago", startOn: "2012-01-01" })
  policyId = draft.id
  await createMember(server.client, policyId, { startOn: "2012-01-01" })
  await server.client.policies.activate({ policyId, version: draft.version })
}, 240_000)

afterAll(() => server.close())

async function createLeavers(name: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let place = 0; place < count; place++) {
    const lastName = `${name}${place}`
    const { id, version } = await createMember(server.client, policyId, { lastName, startOn: "2012-01-01" })
    await server.client.members.terminate({ memberId: id, version, on: "2014-06-30", reason: "Left" })
    ids.push(id)
  }
  return ids
}

test.each([
  "naming",
  "telling",
  "committing",
  "ending",
])("the job continues after a kill while %s and anonymises each member once", async (point) => {
  const { owner, client } = server
  const { retention } = client.privacy
  const name = `Planted${point}`
  const ids = await createLeavers(name, 3)
  // Today's run has already counted other members.
  await owner.run(sql`alter table retention_runs disable trigger all`)
  await owner.run(sql`delete from retention_runs`)
  await owner.run(sql`alter table retention_runs enable trigger all`)
  await retention.look({})
  await server.until(
    async () => (await retention.overview({})).runs[0]?.state === "shown" && !(await retention.overview({})).isUnderway,
  )
  const [run] = (await retention.overview({})).runs
  expect(run!.due.members).toBe(3)
  await server.killedAt(point, "both", () => retention.confirm({ runId: run!.id }))
  await server.until(async () => (await retention.overview({})).runs[0]?.state === "done")
  expect((await retention.overview({})).runs[0]!.removed).toEqual({ members: 3 })
  const facts = await owner.rows<{ id: string; n: number }>(sql`
    select record_id as id, count(*) as n from audit_log where fact = 'MemberForgotten' and record_id = any (${sql.param(ids)}::uuid[]) group by 1`)
  expect(facts.map(({ id, n }) => [id, n]).sort()).toEqual(ids.map((id) => [id, 1]).sort())
  expect(await findPlantedText(owner, server.app.files.folder, name)).toEqual([])
  await server.until(async () => (await verifyAudit(server.app.database, sealFileOf(server.app))).ok)
}, 300_000)
