import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { createMember, sampleIdNumber } from "./members.samples.ts"
import { sampleNominee } from "./nominations.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let other: ClaimScene
let server: Awaited<ReturnType<ClaimApp["serve"]>>
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Heirs Mill")
  other = await insureGroup(app, "Other Heirs")
  server = await app.serve()
})
afterAll(() => app.close())

const nominationsOf = (actor: UserActor = app.people.manager) => app.as(actor).members.nominations
const addMember = async () =>
  (await createMember(app.as(app.people.manager), scene.policyId, { startOn: "2026-01-01" })).id

const halves = [
  sampleNominee({ shareBasisPoints: 5_000 }),
  sampleNominee({ name: "Ben Nkosi", relationship: "child", dateOfBirth: "2015-03-02", shareBasisPoints: 5_000 }),
]

test("a later nomination replaces an earlier one from its first day", async () => {
  const memberId = await addMember()
  await nominationsOf().record({ memberId, fromOn: "2026-02-01", nominees: [sampleNominee()] })
  const after = await nominationsOf(scene.people.hr).record({ memberId, fromOn: "2026-06-01", nominees: halves })
  expect(after.nominations).toMatchObject([
    {
      fromOn: "2026-06-01",
      untilOn: null,
      nominees: [{ name: "Anna Nkosi", shareBasisPoints: 5_000 }, { name: "Ben Nkosi" }],
    },
    { fromOn: "2026-02-01", untilOn: "2026-05-31", superseded: null, recordedBy: app.people.manager.name },
  ])
  expect(after.currentId).toBe(after.nominations[0]!.id)
  const revoked = await nominationsOf().record({ memberId, fromOn: "2026-07-01", nominees: [] })
  expect(revoked.nominations.find(({ id }) => id === revoked.currentId)).toMatchObject({ nominees: [] })
})

test("refuses a second nomination from the same day", async () => {
  const memberId = await addMember()
  const record = () => nominationsOf().record({ memberId, fromOn: "2026-02-01", nominees: halves })
  const answers = await Promise.allSettled([record(), record(), record()])
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  expect(answers.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "NOMINATION_EXISTS" } })
})

test("a correction supersedes the wrong nomination, which stays in the history with its reason", async () => {
  const memberId = await addMember()
  const first = await nominationsOf().record({ memberId, fromOn: "2026-02-01", nominees: [sampleNominee()] })
  const nominationId = first.currentId!
  const reason = "The form names two people"
  const correct = { memberId, nominationId, fromOn: "2026-02-01", nominees: halves, reason }
  const { currentId, nominations } = await nominationsOf().correct(correct)
  expect(currentId).not.toBe(nominationId)
  expect(nominations).toMatchObject([
    { id: currentId, isCorrection: true, superseded: null },
    {
      id: nominationId,
      isCorrection: false,
      superseded: { reason, by: app.people.manager.name },
      nominees: [{ shareBasisPoints: 10_000 }],
    },
  ])
  await expect(nominationsOf().correct(correct)).rejects.toMatchObject({ code: "CONFLICT" })
  const withdrawn = await nominationsOf().withdraw({
    memberId,
    nominationId: currentId!,
    reason: "Another member's form",
  })
  expect(withdrawn.currentId).toBeNull()
  const reasons = withdrawn.nominations.map(({ superseded }) => superseded?.reason)
  expect(reasons.sort()).toEqual(["Another member's form", reason])
})

test("shares that do not add up to 100.00 % are refused by the command and by the database", async () => {
  const memberId = await addMember()
  const nominees = [sampleNominee({ shareBasisPoints: 9_999 })]
  await expect(nominationsOf().record({ memberId, fromOn: "2026-02-01", nominees })).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "nominees" }] },
  })
  const insert = (share: number) =>
    app.sql.run(sql`
      with added as (
        insert into nominations (id, group_id, member_id, from_on, recorded_by, recorded_at)
        values (gen_random_uuid(), ${scene.groupId}, ${memberId}, '2026-02-01', gen_random_uuid(), now()) returning id
      ) insert into nominees (id, group_id, nomination_id, position, name, relationship, share_basis_points)
      select gen_random_uuid(), ${scene.groupId}, id, 0, 'A trust', 'organisation', ${share} from added`)
  await expect(insert(9_999)).rejects.toThrow()
  await insert(10_000)
})

test("no role changes a nominee or deletes a nomination", async () => {
  const memberId = await addMember()
  await nominationsOf().record({ memberId, fromOn: "2026-02-01", nominees: halves })
  for (const role of ["milkwood_staff", "milkwood_scoped"]) {
    const rights = await app.sql.rows<{ may: boolean }>(sql`
      select has_table_privilege(${role}, t, p) as may
      from (values ('nominees', 'update'), ('nominees', 'delete'), ('nominations', 'delete')) each (t, p)
      union all select has_column_privilege(${role}, 'nominations', 'from_on', 'update')`)
    expect(rights.map(({ may }) => may)).toEqual([false, false, false, false])
  }
})

test("a policy holder sees masked numbers and accounts, and no documents", async () => {
  const memberId = await addMember()
  const idNumber = sampleIdNumber(5_500_001)
  const nominees = [sampleNominee({ idNumber, dateOfBirth: null })]
  const { currentId } = await nominationsOf(scene.people.hr).record({ memberId, fromOn: "2026-02-01", nominees })
  const form = new FormData()
  form.set("documentType", "signed_form")
  form.set("file", new File(["%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF\n"], "signed.pdf"))
  const url = `${server.url}/api/nominations/${currentId}/documents`
  const sent = await fetch(url, { method: "POST", headers: server.headersOf(scene.people.hr), body: form })
  expect(sent.status).toBe(200)
  const full = await nominationsOf(scene.people.hr).list({ memberId })
  expect(full.nominations[0]).toMatchObject({
    nominees: [{ idNumber, accountNumber: "62001234567" }],
    documents: [{ name: "signed.pdf", documentType: "signed_form" }],
  })
  const masked = await nominationsOf(scene.people.signatory).list({ memberId })
  expect(masked.allowedActions).toEqual([])
  expect(masked.nominations[0]).toMatchObject({
    nominees: [
      {
        idNumber: `••••••••••${idNumber.slice(-3)}`,
        dateOfBirth: null,
        accountNumber: "••••••••567",
        name: "Anna Nkosi",
      },
    ],
    documents: [],
  })
  const open = (actor: UserActor) =>
    fetch(`${url}/${full.nominations[0]!.documents[0]!.id}`, { headers: server.headersOf(actor) })
  expect((await open(scene.people.signatory)).status).toBe(404)
  expect((await open(other.people.hr)).status).toBe(404)
  expect((await open(scene.people.hr)).status).toBe(200)
  const trail = await app.as(scene.people.signatory).members.activity({ memberId })
  expect(JSON.stringify(trail)).not.toContain("signed.pdf")
  expect(JSON.stringify(trail)).toContain("Anna Nkosi 100.00 %")
})

test("a member of another employer is unknown, and a nomination is found only under its member", async () => {
  const memberId = await addMember()
  const { currentId } = await nominationsOf().record({ memberId, fromOn: "2026-02-01", nominees: halves })
  const hidden = nominationsOf(other.people.hr)
  await expect(hidden.list({ memberId })).rejects.toMatchObject({ code: "NOT_FOUND" })
  const set = { fromOn: "2026-03-01", nominees: halves }
  await expect(hidden.record({ memberId, ...set })).rejects.toMatchObject({ code: "NOT_FOUND" })
  const reason = "A slip"
  for (const target of [memberId, other.memberId]) {
    const correct = { memberId: target, nominationId: currentId!, ...set, reason }
    await expect(hidden.correct(correct)).rejects.toMatchObject({ code: "NOT_FOUND" })
  }
  const elsewhere = { memberId: other.memberId, nominationId: currentId!, reason }
  await expect(nominationsOf().withdraw(elsewhere)).rejects.toMatchObject({ code: "NOT_FOUND" })
  await expect(hidden.removeDocument({ nominationId: currentId!, documentId: randomUUID() })).rejects.toMatchObject({
    code: "NOT_FOUND",
  })
})

test("an undone import deletes a joiner's nomination with its form", async () => {
  const memberId = await addMember()
  const { currentId } = await nominationsOf().record({ memberId, fromOn: "2026-02-01", nominees: halves })
  const form = new FormData()
  form.set("documentType", "signed_form")
  form.set("file", new File(["%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF\n"], "gone.pdf"))
  const url = `${server.url}/api/nominations/${currentId}/documents`
  await fetch(url, { method: "POST", headers: server.headersOf(app.people.manager), body: form })
  const { deleteMembers } = await import("./members-in-sets.ts")
  const removed = await app.transaction(app.people.manager, (cx) =>
    deleteMembers(cx, sql`(select 1) one`, sql`m.id = ${memberId}`),
  )
  expect(removed).toBe(1)
  expect(await app.sql.rows(sql`select from files where name = 'gone.pdf'`)).toEqual([])
  expect(await app.sql.rows(sql`select from nominees where nomination_id = ${currentId}`)).toEqual([])
})
