import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createDraftPolicy } from "../policies/policies.samples.ts"
import { RealServer } from "../test/real-server.ts"
import { censusFolder, expectedAnswers } from "./staff-lists.samples.ts"

/* The test kills server and database while a trigger blocks an import at a chosen point. */

const file = "2-semicolon-cp1252.csv"
const expectedAnswer = expectedAnswers[file]!
let server: RealServer

beforeAll(async () => {
  server = await RealServer.started(
    `create trigger preview before insert on staff_list_rows for each row when (new.row = 300) execute function stand_still('preview');
    create trigger writing before insert on members for each row when (new.first_name = 'Vusi' and new.last_name = 'Govender')
      execute function stand_still('writing');
    create constraint trigger committing after update on staff_lists deferrable initially deferred for each row
      when (new.status = 'completed') execute function stand_still('committing');`,
  )
}, 120_000)

afterAll(() => server.close())

const uploadList = (policyId: string) =>
  server.served(async ({ url }) => {
    const form = new FormData()
    form.append("policyId", policyId)
    form.append("file", new Blob([readFileSync(join(censusFolder, file))]), file)
    const sent = await fetch(`${url}/api/members/imports`, { method: "POST", body: form })
    return ((await sent.json()) as { importId: string }).importId
  })

const hasStatus = (importId: string, status: string) => async () => {
  const found = await server.owner.row<{ status: string }>(sql`select status from staff_lists where id = ${importId}`)
  if (found?.status === "failed") throw new Error("the import failed")
  return found?.status === status
}

const crashCases = ["preview", "writing", "committing"].flatMap((point) =>
  (["the server", "the database", "both"] as const).map((what) => [point, what] as const),
)

test.each(crashCases)(
  "%s, while %s is killed: the import still finishes and writes each row once",
  async (point, what) => {
    const { owner, client } = server
    const policy = await createDraftPolicy(client, { groupName: `${expectedAnswer.group} ${point} ${what}` })
    // The list has the sample's group name without the suffix, so the policy's description contains that name.
    await owner.run(sql`update policies set description = ${expectedAnswer.group} where id = ${policy.id}`)
    const importId = await uploadList(policy.id)
    const { staffLists } = client
    const found = await staffLists.detail({ importId })

    const check = (): Promise<unknown> => staffLists.check({ importId, version: found.version, mapping: found.mapping })
    const startImport = async (): Promise<unknown> => {
      const { version } = await staffLists.detail({ importId })
      return staffLists.import({ importId, version, idempotencyKey: randomUUID() })
    }
    if (point !== "preview") {
      await check()
      await server.until(hasStatus(importId, "ready"))
    }
    const killed = await server.killedAt(point, what, point === "preview" ? check : startImport)
    const waited = await server.until(hasStatus(importId, point === "preview" ? "ready" : "completed"))
    expect(killed.waited + waited).toBeLessThan(60_000)
    if (point === "preview") {
      await startImport()
      await server.until(hasStatus(importId, "completed"))
    }

    const refused = await owner.rows<{ row: number; code: string }>(sql`
    select row, problems -> 0 ->> 'code' as code from staff_list_rows where staff_list_id = ${importId} and status = 'error'`)
    expect(Object.fromEntries(refused.map(({ row, code }) => [row, code]))).toEqual(expectedAnswer.errors)
    const stored = await owner.row(sql`
    select count(*) as members, count(distinct id_number) as people, count(distinct number) as numbers,
      (select count(*) from staff_list_rows where staff_list_id = ${importId}) as rows,
      (select c.pending + c.active + c.suspended + c.terminated from member_counts c where c.policy_id = ${policy.id}) as counted,
      (select count(*) from audit_log where fact = 'StaffListImported' and record_id = ${importId}) as facts
    from members where policy_id = ${policy.id}`)
    const members = expectedAnswer.rows - Object.keys(expectedAnswer.errors).length
    expect(stored).toEqual({
      members,
      people: members,
      numbers: members,
      rows: expectedAnswer.rows,
      counted: members,
      facts: 1,
    })
  },
  150_000,
)
