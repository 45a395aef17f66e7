import { randomUUID } from "node:crypto"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { UserActor } from "../platform/calls/actor.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createClaimContent, createDraftClaim, createRoutedClaim } from "./claims.samples.ts"

const unknown = "00000000-0000-4000-8000-000000000000"

let app: ClaimApp
let ownScene: ClaimScene
let otherScene: ClaimScene
let foreignClaim: ClaimDetail
let foreignDocument: string
let server: Awaited<ReturnType<ClaimApp["serve"]>>

beforeAll(async () => {
  app = await openClaimApp()
  ownScene = await insureGroup(app, "Own Group")
  otherScene = await insureGroup(app, "Other Group")
  server = await app.serve()
  await createRoutedClaim(ownScene.cast, ownScene.sample)
  const draft = await createDraftClaim(otherScene.cast, otherScene.sample)
  const form = new FormData()
  form.set("documentType", "police_report")
  form.set("file", new File(["%PDF-1.4\n%%EOF\n"], "report.pdf"))
  await fetch(`${server.url}/api/claims/${draft.id}/documents`, {
    method: "POST",
    headers: server.headersOf(otherScene.people.hr),
    body: form,
  })
  const submitted = await otherScene.cast.captures.claims.submit({ claimId: draft.id, version: draft.version })
  foreignClaim = await otherScene.cast.manager.claims.route({ claimId: draft.id, version: submitted.version })
  foreignDocument = foreignClaim.documents[0]!.id
})
afterAll(() => app.close())

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    ({ code, message, status, data }: { code: string; message: string; status: number; data: unknown }) => ({
      code,
      message,
      status,
      data,
    }),
  )

type Client = ReturnType<ClaimApp["as"]>
const key = "6f1c2a34-9d0e-4b63-8a55-6f1c2a349d0e"
const calls: Record<
  string,
  (client: Client, claimId: string, ids: { memberId: string; documentId: string }) => Promise<unknown>
> = {
  detail: (client, claimId) => client.claims.detail({ claimId }),
  benefits: (client, _claimId, { memberId }) => client.claims.benefits({ memberId }),
  deciders: (client, _claimId, { memberId }) => client.claims.deciders({ memberId }),
  "saveDraft for a new claim": (client, _claimId, { memberId }) =>
    client.claims.saveDraft({ content: createClaimContent({ ...ownScene.sample, memberId }) }),
  saveDraft: (client, claimId) =>
    client.claims.saveDraft({ claimId, version: 1, content: createClaimContent(ownScene.sample) }),
  submit: (client, claimId) => client.claims.submit({ claimId, version: 1 }),
  removeDocument: (client, claimId, { documentId }) => client.claims.removeDocument({ claimId, documentId }),
  decide: (client, claimId) => client.claims.decide({ claimId, version: 4, decision: "approve", idempotencyKey: key }),
}

describe("ids of another group are indistinguishable from missing ids", () => {
  test.each(Object.keys(calls))("%s", async (name) => {
    const permitted = name === "decide" || name === "detail" || name === "benefits"
    const actors: UserActor[] = permitted ? [ownScene.people.hr, ownScene.people.signatory] : [ownScene.people.hr]
    for (const actor of actors) {
      const client = app.as(actor)
      const theirs = await outcomeOf(
        calls[name]!(client, foreignClaim.id, { memberId: otherScene.memberId, documentId: foreignDocument }),
      )
      const nobodys = await outcomeOf(calls[name]!(client, unknown, { memberId: unknown, documentId: unknown }))
      expect(theirs).toEqual(nobodys)
      expect(theirs).not.toBe("done")
    }
  })

  test("upload and download", async () => {
    const answerOf = async (claimId: string, documentId: string) => {
      const headers = server.headersOf(ownScene.people.hr)
      const form = new FormData()
      form.set("documentType", "other")
      form.set("file", new File(["%PDF-1.4\n%%EOF\n"], "x.pdf"))
      const sent = await fetch(`${server.url}/api/claims/${claimId}/documents`, { method: "POST", headers, body: form })
      const read = await fetch(`${server.url}/api/claims/${claimId}/documents/${documentId}`, { headers })
      return [sent.status, await sent.json(), read.status, await read.json()]
    }
    const theirs = await answerOf(foreignClaim.id, foreignDocument)
    expect(theirs).toEqual(await answerOf(unknown, unknown))
    expect(theirs).toEqual(await answerOf("not-an-id", "not-an-id"))
    expect([theirs[0], theirs[2]]).toEqual([404, 404])
  })

  test("a claim cannot move to a member of another of the user's groups", async () => {
    const both = await app.people.groupAdmin(ownScene.groupId, otherScene.groupId)
    const draft = await app.as(both).claims.saveDraft({ content: createClaimContent(ownScene.sample) })
    const content = createClaimContent({ ...ownScene.sample, memberId: otherScene.memberId })
    await expect(
      app.as(both).claims.saveDraft({ claimId: draft.id, version: draft.version, content }),
    ).rejects.toMatchObject({ code: "INVALID", data: { fields: [{ path: "content.memberId" }] } })
  })
})

test("lists, counts and searches never show another group", async () => {
  for (const actor of [ownScene.people.hr, ownScene.people.signatory]) {
    const client = app.as(actor)
    const list = await client.claims.list({})
    expect(list.rows.every(({ group }) => group.id === ownScene.groupId)).toBe(true)
    expect(list.counts.all).toBe(list.total)
    expect((await client.claims.list({ search: "Other Group" })).total).toBe(0)
    expect((await client.claims.list({ search: foreignClaim.number })).total).toBe(0)
    expect((await client.claims.list({ memberId: otherScene.memberId })).total).toBe(0)
    expect((await client.claims.pending({})).summary?.pending).toBe(1)
  }
  expect((await app.as(app.people.underwriter).claims.list({})).total).toBeGreaterThan(1)
})

describe("raw SQL as the employers' database role", () => {
  test("sees no rows without a scope, and only its groups with one", async () => {
    const nobody = { ...ownScene.people.hr, groupIds: [] }
    for (const table of ["claims", "claim_approvals", "claim_documents"]) {
      const count = sql`select count(*) as count from ${sql.identifier(table)}`
      expect(await app.transaction(nobody, ({ tx }) => tx.row(count))).toEqual({ count: 0 })
      const rows = await app.transaction(ownScene.people.hr, ({ tx }) =>
        tx.rows<{ group: string }>(sql`select distinct group_id as "group" from ${sql.identifier(table)}`),
      )
      expect(rows.every(({ group }) => group === ownScene.groupId)).toBe(true)
    }
  })

  test.each([
    sql`update claims set approved_amount_cents = 1`,
    sql`update claims set final_approval_at = now()`,
    sql`update claims set payment_on = '2026-11-02'`,
    sql`update claims set group_id = group_id`,
    sql`update claim_approvals set status = 'approved'`,
    sql`delete from claim_approvals`,
    sql`update claim_approvals set decided_for = decided_by`,
  ])("cannot perform staff-only actions (%#)", async (statement) => {
    await expect(app.transaction(ownScene.people.hr, ({ tx }) => tx.run(statement))).rejects.toMatchObject({
      code: "42501",
    })
  })

  test("deletes only the user's own drafts", async () => {
    const drop = (actor: typeof ownScene.people.hr) =>
      app.transaction(actor, ({ tx }) =>
        tx.run(sql`delete from claims where status <> 'draft' or number = ${mine.number}`),
      )
    const mine = await createDraftClaim(ownScene.cast, ownScene.sample)
    expect(await drop(ownScene.people.hr2)).toBe(0)
    expect(await drop(ownScene.people.signatory)).toBe(0)
    expect(await drop(ownScene.people.hr)).toBe(1)
  })

  const another = (table: string, values: object, also = sql`'{}'::jsonb`) => sql`
    insert into ${sql.raw(table)} select (jsonb_populate_record(r, ${JSON.stringify({ id: randomUUID(), ...values })}::jsonb || ${also})).*
    from ${sql.raw(table)} r order by status desc limit 1`
  const now = "2026-11-02T08:00:00Z"
  const stages = { group_admin_approval_at: now, underwriter_approval_at: now, policy_holder_approval_at: now }
  const approved = { status: "approved", approved_amount_cents: 1, final_approval_at: now, ...stages }
  const notSubmitted = { status: "draft", submitted_at: null, submitted_by: null, routed_at: null }
  const decided = { round: 2, status: "approved", approved_amount_cents: 1, decided_at: now }

  test.each([
    ["an approved claim", another("claims", { number: "CLM-1", ...approved })],
    ["a claim that waits for approval", another("claims", { number: "CLM-2" })],
    ["a draft that somebody has taken", another("claims", { number: "CLM-3", ...notSubmitted })],
    [
      "an approval",
      another("claim_approvals", decided, sql`jsonb_build_object('decided_by', current_setting('app.user'))`),
    ],
  ])("cannot insert %s", async (_what, statement) => {
    await expect(app.transaction(ownScene.people.hr, ({ tx }) => tx.run(statement))).rejects.toMatchObject({
      code: "42501",
    })
  })

  test("cannot attach a document to another group's claim", async () => {
    const insert = app.transaction(ownScene.people.hr, ({ tx }) =>
      tx.run(sql`
        insert into claim_documents (id, group_id, claim_id, document_type, name, file_id, uploaded_by, uploaded_at)
        select gen_random_uuid(), ${ownScene.groupId}, ${foreignClaim.id}, 'other', 'x', ${unknown}, ${ownScene.people.hr.userId}, now()`),
    )
    await expect(insert).rejects.toMatchObject({ code: "23503" })
  })
})

test.each([
  ["approved without its stamps", sql`update claims set status = 'approved'`],
  ["paid without a day", sql`update claims set status = 'paid'`],
  ["a draft that was submitted", sql`update claims set status = 'draft'`],
  ["rejected without a reason", sql`update claims set status = 'rejected', rejected_at = now()`],
  ["back to review while routed", sql`update claims set status = 'under_review'`],
])("the database itself refuses %s", async (_what, statement) => {
  await expect(app.sql.run(sql`${statement} where id = ${foreignClaim.id}`)).rejects.toMatchObject({ code: "23514" })
})
