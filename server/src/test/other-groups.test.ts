import { randomUUID } from "node:crypto"
import { hasPermission, type PermissionName } from "@milkwood/domain/platform/permission"
import type { AnyContractProcedure } from "@orpc/contract"
import { call } from "@orpc/server"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim, createDraftClaim } from "../claims/claims.samples.ts"
import { createPayout } from "../payouts/payouts.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { createDocument, findDocumentType } from "../policies/policy-documents.samples.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import { routes } from "../routes.ts"
import { createCheckedList, type StaffListApp } from "../staff-lists/staff-lists.samples.ts"
import { bindProcedure, procedures, sampleInput } from "./procedures.ts"

/**
 * Isolation of employers: each procedure and route treats foreign ids like unknown ids, and no list, count or search
 * contains a foreign row.
 */

const groupIdNames = [
  "groupId",
  "policyId",
  "memberId",
  "exceptMemberId",
  "dependentId",
  "claimId",
  "except",
  "documentId",
  "policyDocumentId",
  "nominationId",
  "invoiceId",
  "creditNoteId",
  "receiptId",
  "payoutId",
  "importId",
  "jobId",
  "personId",
  "standInId",
  "id",
  "after",
  "before",
] as const
type GroupIds = Record<(typeof groupIdNames)[number], string>
const isGroupIdName = (name: string): name is keyof GroupIds => groupIdNames.includes(name as keyof GroupIds)

const staffList = "First name,Last name,Passport,Email,Group\nAnn,Nkosi,A1234567,ann@list.example,Own Works\n"

let app: ClaimApp
let desk: StaffListApp
let own: ClaimScene
let other: ClaimScene
let ids: Record<"own" | "other", GroupIds>
let shared: Record<string, string>
let viewers: Record<"group_admin" | "policy_holder", UserActor>

beforeAll(async () => {
  app = await openClaimApp()
  desk = { app, server: await app.serve() }
  own = await insureGroup(app, "Own Works")
  other = await insureGroup(app, "Hidden Mills")
  ids = { own: await createRecordsOf(own), other: await createRecordsOf(other) }
  const { tiers, productTypes } = await app.as(app.people.admin).benefits.choices()
  const types = await app.as(app.people.admin).policies.documents.types.list({})
  shared = {
    documentTypeId: types[0]!.id,
    tierId: tiers[0]!.id,
    productTypeId: productTypes[0]!.id,
    benefitId: own.benefitId,
  }
  viewers = { group_admin: own.people.hr, policy_holder: own.people.signatory }
})
afterAll(() => app.close())

async function createRecordsOf(scene: ClaimScene): Promise<GroupIds> {
  const { groupId, policyId, memberId, people, cast, sample } = scene
  const manager = app.as(app.people.manager)
  const hr = app.as(people.hr)
  const { version } = await manager.members.detail({ memberId })
  const spouse = { firstName: "Lerato", lastName: "Nkosi", relationship: "spouse", dateOfBirth: null } as const
  const { dependents } = await manager.members.update({
    memberId,
    version,
    dependents: [{ ...spouse, idNumber: null, gender: null }],
  })
  const invoice = await createSentInvoice(manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  const credited = await manager.billing.credit({
    invoiceId: invoice.id,
    idempotencyKey: randomUUID(),
    amountCents: 1_00,
    reason: "A slip",
  })
  const receipt = await recordedReceipt(manager, { policyId, amountCents: 100_00, receivedOn: "2026-10-05" })
  const draft = await createDraftClaim(cast, sample)
  const sent = await sendRequest({ path: "/api/claims/:claimId/documents", fill: () => draft.id, actor: people.hr })
  const { documents } = (await sent.json()) as { documents: { id: string }[] }
  const form = await findDocumentType(manager, "Application form")
  const paper = await createDocument(desk.server, app.people.manager, { policyId, documentType: form })
  const payout = await createPayout(manager, (await createApprovedClaim(cast, sample)).id)
  const nomination = await manager.members.nominations.record({ memberId, fromOn: "2026-02-01", nominees: [] })
  const list = await createCheckedList(desk, people.hr, policyId, "list.csv", staffList)
  const [job] = await hr.platform.jobs.list({})
  const view = await hr.users.views.save({ list: "claims", name: "Mine", address: {}, columns: null })
  return {
    groupId,
    policyId,
    memberId,
    exceptMemberId: memberId,
    dependentId: dependents[0]!.id,
    claimId: draft.id,
    except: draft.id,
    documentId: documents[0]!.id,
    policyDocumentId: paper.id,
    nominationId: nomination.currentId!,
    invoiceId: invoice.id,
    creditNoteId: credited.creditNotes[0]!.id,
    receiptId: receipt.id,
    payoutId: payout.id,
    importId: list.id,
    jobId: job!.id,
    personId: people.signatory.userId,
    standInId: people.hr.userId,
    id: view.id,
    after: policyId,
    before: policyId,
  }
}

interface RefusedAnswer {
  code?: string
  status?: number
  message: string
  data?: { fields?: { path: string }[] }
}
const callAs = async (path: string, input: unknown, actor: UserActor) => {
  const context = {
    app: app.app,
    actor,
    requestId: randomUUID(),
    headers: new Headers(),
    responseHeaders: new Headers(),
  }
  return call(await bindProcedure(path), input, { context }).then(
    (answer: unknown) => ({ answer, fields: [] }),
    ({ code, status, message, data }: RefusedAnswer) => ({ code, status, message, fields: data?.fields ?? [] }),
  )
}

/** The meaning of `id`, if it is not a saved view. */
const idByPickProcedure: Record<string, keyof GroupIds> = { "policies.pick": "policyId", "members.pick": "memberId" }

/** The record type of a page cursor, if it is not a policy. */
const idByListProcedure: Record<string, keyof GroupIds> = {
  "members.list": "memberId",
  "billing.list": "invoiceId",
  "billing.creditNotes.list": "creditNoteId",
  "claims.list": "claimId",
  "claims.pending": "claimId",
  "policies.documents.list": "policyDocumentId",
}
const foreignIdOf = (name: keyof GroupIds, path: string): string => {
  if (name === "documentId" && path.includes("policies")) return ids.other.policyDocumentId
  if (name === "id") return ids.other[idByPickProcedure[path] ?? name]
  return ids.other[name === "after" || name === "before" ? (idByListProcedure[path] ?? name) : name]
}

function idsOf(contract: AnyContractProcedure): (keyof GroupIds)[] {
  const names = JSON.stringify(sampleInput(contract, (name) => `<${name}>`) ?? "").matchAll(/<(\w+)>/g)
  return [...new Set(Array.from(names, ([, name]) => name!))].filter(isGroupIdName)
}

const foreignCombinations = (names: (keyof GroupIds)[]): (keyof GroupIds)[][] => [...names.map((name) => [name]), names]

const fillUnknownIds = (names: (keyof GroupIds)[]) => {
  const made = Object.fromEntries(names.map((name) => [name, randomUUID()]))
  return (name: string): string => made[name] ?? ownIdOf(name)
}
const ownIdOf = (name: string): string => (isGroupIdName(name) ? ids.own[name] : (shared[name] ?? randomUUID()))
const fillForeignIds =
  (names: (keyof GroupIds)[], path = "") =>
  (name: string) =>
    names.includes(name as keyof GroupIds) ? foreignIdOf(name as keyof GroupIds, path) : ownIdOf(name)

describe.each(["group_admin", "policy_holder"] as const)("for a %s", (role) => {
  const callable = procedures.filter(
    ({ meta: { permission } }) =>
      permission === "session" || (permission !== "public" && hasPermission(role, permission as PermissionName)),
  )

  test("the test covers every id that a procedure takes", () => {
    const known = new Set<string>([...groupIdNames, ...Object.keys(shared), "idempotencyKey"])
    for (const { path, contract } of callable) {
      const input = JSON.stringify(sampleInput(contract, (name) => `<${name}>`) ?? "")
      for (const [, name] of input.matchAll(/<(\w+)>/g)) expect(known, `${path}: ${name}`).toContain(name)
    }
  })

  test.each(
    callable.filter(({ contract }) => idsOf(contract).length > 0),
  )("$path answers foreign ids like unknown ids", async ({ path, contract }) => {
    for (const names of foreignCombinations(idsOf(contract))) {
      const there = await callAs(path, sampleInput(contract, fillForeignIds(names, path)), viewers[role])
      const nowhere = await callAs(path, sampleInput(contract, fillUnknownIds(names)), viewers[role])
      expect(there, names.join()).toEqual(nowhere)
      // The ids are the only invalid fields, so the record was looked up.
      for (const { path } of there.fields) expect(names).toContain(path.split(".").at(-1))
      expect(JSON.stringify(there)).not.toContain("Hidden Mills")
    }
  })

  test("lists, counts, searches and dashboards contain no row of another employer", async () => {
    const lists = procedures.filter(({ meta, contract }) => {
      const input = sampleInput(contract, (name) => `<${name}>`)
      return meta.kind === "read" && meta.permission !== "public" && !JSON.stringify(input ?? "").includes("<")
    })
    expect(lists.length).toBeGreaterThan(8)
    for (const { path, contract, meta } of lists) {
      if (meta.permission !== "session" && !hasPermission(role, meta.permission as PermissionName)) continue
      const said = JSON.stringify(await callAs(path, sampleInput(contract), viewers[role]))
      for (const secret of ["Hidden Mills", ...Object.values(ids.other)]) expect(said, path).not.toContain(secret)
    }
    for (const text of ["Hidden", "Sipho", "CLM-2026", "INV-2026", "CN-2026", "GP-2026", "M-0000"]) {
      const found = JSON.stringify(await app.as(viewers[role]).reports.search({ text }))
      for (const secret of ["Hidden Mills", ...Object.values(ids.other)]) expect(found).not.toContain(secret)
    }
  })
})

const uploadForms: Record<
  string,
  { fields: Record<string, string>; file: [name: string, mime: string, content: string] }
> = {
  "/api/policies/:policyId/documents": {
    fields: { documentType: ":documentTypeId" },
    file: ["form.pdf", "application/pdf", "%PDF-1.4\n%%EOF\n"],
  },
  "/api/policies/:policyId/documents/:documentId": {
    fields: {},
    file: ["form.pdf", "application/pdf", "%PDF-1.4\n%%EOF\n"],
  },
  "/api/claims/:claimId/documents": {
    fields: { documentType: "other" },
    file: ["letter.pdf", "application/pdf", "%PDF-1.4\n%%EOF\n"],
  },
  "/api/nominations/:nominationId/documents": {
    fields: { documentType: "signed_form" },
    file: ["form.pdf", "application/pdf", "%PDF-1.4\n%%EOF\n"],
  },
  "/api/bank-statements": {
    fields: { accountId: ":accountId" },
    file: ["statement.csv", "text/csv", "Date,Description,Amount\n2026-11-01,EFT,5.00\n"],
  },
  "/api/payment-batches/:batchId/answers": { fields: {}, file: ["answer.xml", "text/xml", "<Document/>"] },
  "/api/remittances": {
    fields: { invoiceId: ":invoiceId" },
    file: ["remittance.csv", "text/csv", "Member number,Amount\nM-000001,402.50\n"],
  },
  "/api/settings/logo": { fields: {}, file: ["logo.png", "image/png", ""] },
  "/api/members/imports": {
    fields: { policyId: ":policyId" },
    file: ["list.csv", "text/csv", staffList],
  },
}

interface RouteRequest {
  path: string
  fill: (name: string) => string
  actor: UserActor
  method?: string
}
function sendRequest({ path, fill, actor, method = "POST" }: RouteRequest): Promise<Response> {
  const filled = (text: string) => text.replace(/:(\w+)/g, (_match, name: string) => fill(name))
  const headers = desk.server.headersOf(actor)
  if (method === "GET") return fetch(desk.server.url + filled(path), { headers })
  const { fields, file } = uploadForms[path]!
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, filled(value))
  const [name, type, content] = file
  body.set("file", new Blob([content], { type }), name)
  return fetch(desk.server.url + filled(path), { method, headers, body })
}

test.each(routes)("$method $path answers foreign ids like unknown ids", async ({ path, method }) => {
  // The account service only answers about the caller.
  if (path.startsWith("/auth/v1/")) return
  const form = method === "GET" ? "" : JSON.stringify(uploadForms[path]!.fields)
  const names = Array.from((path + form).matchAll(/:(\w+)/g), ([, name]) => name!).filter(isGroupIdName)
  for (const actor of Object.values(viewers)) {
    for (const wrong of names.length === 0 ? [] : foreignCombinations(names)) {
      const ask = async (fill: (name: string) => string): Promise<string> => {
        const answer = await sendRequest({ path, fill, actor, method })
        return `${answer.status} ${(await answer.text()).slice(0, 500)}`
      }
      const there = await ask(fillForeignIds(wrong, path))
      expect(there, wrong.join()).toBe(await ask(fillUnknownIds(wrong)))
      expect(there).toMatch(/^40[34] /)
    }
  }
})

test("raw SQL returns no employer's rows without a scope, otherwise only the scope's", async () => {
  const tables = await app.sql.rows<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'group_id' and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and has_table_privilege('milkwood_scoped', c.oid, 'select')`)
  expect(tables.length).toBeGreaterThan(12)
  let filled = 0
  for (const { name } of tables) {
    const table = sql.identifier(name)
    const [{ rows } = { rows: 0 }] = await app.sql.rows<{ rows: number }>(
      sql`select count(*) as rows from ${table} where group_id is not null`,
    )
    if (rows > 0) filled++
    const without = await app.app.database.direct("scoped").rows(sql`select from ${table} where group_id is not null`)
    expect(without, name).toEqual([])
    const within = await app.transaction(own.people.hr, ({ tx }) =>
      tx.rows<{ groupId: string }>(sql`select distinct group_id as "groupId" from ${table} where group_id is not null`),
    )
    for (const { groupId } of within) expect(groupId, name).toBe(own.groupId)
  }
  expect(filled).toBeGreaterThan(8)
})

test("a row cannot reference another employer's row, for any role", async () => {
  const staff = app.app.database.direct("staff")
  await expect(
    staff.run(sql`
      insert into dependents (id, group_id, member_id, first_name, last_name, relationship, from_on, created_at, updated_at)
      values (gen_random_uuid(), ${own.groupId}, ${other.memberId}, 'A', 'B', 'child', '2026-01-01', ${app.clock.now()}, ${app.clock.now()})`),
  ).rejects.toThrow(/foreign key/)
})
