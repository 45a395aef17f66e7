import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../../claims/claim-scene.samples.ts"
import { createSubmittedClaim } from "../../claims/claims.samples.ts"
import { createDraftPolicy } from "../../policies/policies.samples.ts"
import { createImportedList } from "../../staff-lists/staff-lists.samples.ts"
import type { UserActor } from "../calls/actor.ts"

let app: ClaimApp
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  server = await app.serve()
  scene = await insureGroup(app, "Export Dairy")
})
afterAll(() => app.close())

const fetchAs = (who: UserActor, path: string) => fetch(server.url + path, { headers: server.headersOf(who) })
async function fetchCsvRows(who: UserActor, path: string): Promise<string[][]> {
  const answer = await fetchAs(who, path)
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8")
  const text = await answer.text()
  return text
    .trim()
    .split("\r\n")
    .map((line) => line.split(","))
}

test("a long list exports completely, in its order and the requested columns", async () => {
  const { manager } = app.people
  const policy = await createDraftPolicy(app.as(manager), { groupName: "Soweto Retail Holdings" })
  const { addedCount } = await createImportedList({ app, server }, manager, policy.id, "1-plain.csv")
  const [head, ...rows] = await fetchCsvRows(
    manager,
    `/api/members.csv?policyId=${policy.id}&sort=number&columns=number,name,nonsense`,
  )
  expect(head).toEqual(["Number", "Name"])
  expect(rows).toHaveLength(addedCount)
  expect(rows.map(([number]) => number)).toEqual(rows.map(([number]) => number).sort())

  const found = await app.as(manager).members.list({ policyId: policy.id, search: "müller", pageSize: 100 })
  const searched = await fetchCsvRows(manager, `/api/members.csv?policyId=${policy.id}&search=m%C3%BCller&columns=name`)
  expect(searched.slice(1)).toEqual(found.rows.map((row) => [`${row.firstName} ${row.lastName}`]))

  const [first, , third] = found.rows
  const chosen = await fetchCsvRows(manager, `/api/members.csv?sort=name&columns=number&ids=${third!.id},${first!.id}`)
  expect(chosen.slice(1)).toEqual([[first!.number], [third!.number]])
})

test("claims export by tab, with amounts in rand and statuses in words", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  const [head, ...rows] = await fetchCsvRows(
    app.people.manager,
    "/api/claims.csv?tab=pending&columns=number,submittedAt,requested,approved,status",
  )
  expect(head).toEqual(["Claim", "Submitted", "Requested", "Approved", "Status"])
  const stored = await app.as(app.people.manager).claims.list({ tab: "pending" })
  expect(rows).toHaveLength(stored.total)
  const { today } = await app.as(app.people.manager).settings.display({})
  expect(rows).toContainEqual([claim.number, today, String(claim.requestedAmountCents! / 100), "", "Submitted"])
  expect(await fetchCsvRows(app.people.manager, "/api/claims.csv?tab=approved")).toHaveLength(1)
})

test("an export contains only rows and columns that the user's list shows", async () => {
  const { groupId } = scene
  const other = await insureGroup(app, "Other Dairy")
  const groupAdmin = await app.people.groupAdmin(groupId)
  const holder = await app.people.policyHolder(groupId)
  const mine = await fetchCsvRows(groupAdmin, "/api/members.csv?columns=group")
  expect(new Set(mine.slice(1).map(([group]) => group))).toEqual(new Set(["Export Dairy"]))
  const theirs = await app.as(app.people.manager).members.list({ groupId: other.groupId })
  expect(await fetchCsvRows(groupAdmin, `/api/members.csv?ids=${theirs.rows[0]!.id}`)).toHaveLength(1)
  const masked = await fetchCsvRows(holder, "/api/members.csv?columns=idNumber")
  for (const [idNumber] of masked.slice(1)) expect(idNumber).toMatch(/^\D|^$|\*/)
})

test("a list that cannot be read is refused before the first byte is sent", async () => {
  for (const wrong of ["sort=premium", "ids=1", "search=%00", "status=Gone", "toComplete=perhaps"]) {
    const answer = await fetchAs(app.people.manager, `/api/members.csv?${wrong}`)
    expect(answer.status, wrong).toBe(422)
    expect(await answer.json(), wrong).toMatchObject({ code: "INVALID" })
  }
})

test("exporting a list is recorded with its user", async () => {
  await (await fetchAs(app.people.underwriter, "/api/members.csv")).text()
  const [newest] = await app.sql.rows(
    sql`select actor_name as who, record_label as list from audit_log where fact = 'ListExported' order by id desc limit 1`,
  )
  expect(newest).toEqual({ who: app.people.underwriter.name, list: "members" })
})
