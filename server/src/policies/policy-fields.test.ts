import { randomUUID } from "node:crypto"
import { columnOf, type DeclaredField } from "@milkwood/domain/kernel/declared-field"
import { policyFields } from "@milkwood/domain/policies/policy-fields"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { describeApi } from "../http/reference.ts"
import { routes } from "../routes.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { productFiles } from "../test/product-files.ts"
import { createActivePolicy, createDraftPolicy } from "./policies.samples.ts"

/* A plain policy field is declared in one place. These tests use the contact's notes, which no other code names. */

let app: TestApp
let manager: Client
beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-02T08:00:00Z" })
  manager = app.as(app.people.manager)
})
afterAll(() => app?.close())

test("only the declaration, table and migration name the contact's notes", () => {
  const files = productFiles()
    .filter(({ text }) => /contactNotes|contact_notes/.test(text))
    .map(({ path }) => path)
  expect(files).toEqual([
    "domain/src/policies/policy-fields.ts",
    "server/migrations/0006_policies.sql",
    "server/src/policies/policies.tables.ts",
  ])
})

test("every declared field is a column of policies", async () => {
  const columns = await app.sql.rows<{ name: string }>(
    sql`select column_name as name from information_schema.columns where table_name = 'policies'`,
  )
  expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(policyFields).map(columnOf)))
})

test("saves a field of a draft, and keeps it when a save omits it", async () => {
  const draft = await createDraftPolicy(manager, { groupName: `Notes ${randomUUID()}` })
  const { version } = await manager.policies.saveDraft({
    ...{ policyId: draft.id, version: draft.version, contactNotes: "Calls back after four" },
  })
  const saved = await manager.policies.saveDraft({ policyId: draft.id, version, contactPosition: "Director" })
  expect(saved.contact).toEqual({
    ...draft.contact,
    contactNotes: "Calls back after four",
    contactPosition: "Director",
  })
})

test("the history has a field's old and new values", async () => {
  const {
    id: policyId,
    version,
    contact,
    coverage,
  } = await createActivePolicy(manager, { groupName: `Trail ${randomUUID()}` })
  const values = { ...contact, contactNotes: "Calls back after four" }
  const saved = await manager.policies.updateSection({ policyId, version, change: { section: "contact", values } })
  expect(saved.contact).toEqual(values)
  await manager.policies.updateSection({
    ...{ policyId, version: saved.version },
    change: { section: "coverage", values: { ...coverage, coverageType: "disability" } },
  })
  const [second, first] = await manager.policies.activity({ policyId })
  expect(first!.changes).toEqual([{ field: "contactNotes", before: contact.contactNotes, after: values.contactNotes }])
  expect(second!.changes).toEqual([{ field: "coverageType", before: coverage.coverageType, after: "disability" }])
})

test("the API reference describes every declared field by its label", async () => {
  const text = JSON.stringify(await describeApi(routes))
  for (const { label } of Object.values<DeclaredField>(policyFields)) expect(text).toContain(`"description":"${label}`)
})
