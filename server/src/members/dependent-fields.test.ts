import { randomUUID } from "node:crypto"
import { columnOf } from "@milkwood/domain/kernel/declared-field"
import { dependentFieldNames } from "@milkwood/domain/members/dependent-fields"
import type { DependentInput } from "@milkwood/domain/members/member-shape"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { archiveSectionsOf } from "../privacy/about-person.queries.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { productFiles } from "../test/product-files.ts"
import { createMember } from "./members.samples.ts"

/* A plain dependent field is declared in one place. These tests use the gender. */

let app: TestApp
let manager: Client
beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-02T08:00:00Z" })
  manager = app.as(app.people.manager)
})
afterAll(() => app?.close())

const dependent: DependentInput = {
  firstName: "Kim",
  lastName: "Nkosi",
  relationship: "child",
  idNumber: null,
  dateOfBirth: "2015-03-04",
  gender: "female",
}
const memberWith = async (given: DependentInput) => {
  const policy = await createActivePolicy(manager, { groupName: `Families ${randomUUID()}` })
  return createMember(manager, policy.id, { dependents: [given] })
}

test("only these files name a dependent's gender", () => {
  const files = productFiles()
    .filter(({ text }) => /\bgender\b/.test(text) && /dependent/i.test(text))
    .map(({ path }) => path)
  // member.ts and proposed-members.ts name the member's gender. The report of dependents has its own columns.
  expect(files).toEqual([
    "domain/src/members/dependent-fields.ts",
    "domain/src/members/member.ts",
    "domain/src/reports/catalogue/member.ts",
    "server/migrations/0007_members.sql",
    "server/src/billing/proposed-members.ts",
    "server/src/members/members.tables.ts",
    "server/src/privacy/privacy.rules.sql",
    "server/src/reports/catalogue/member.queries.ts",
  ])
})

test("saves every declared field, and records a changed one in the history", async () => {
  const { id: memberId, version, dependents } = await memberWith(dependent)
  const [{ birthYear: _, ...kim }] = dependents as [(typeof dependents)[number]]
  expect(kim).toMatchObject(dependent)
  expect(Object.keys(kim)).toEqual(expect.arrayContaining(dependentFieldNames))
  const saved = await manager.members.update({ memberId, version, dependents: [{ ...kim, gender: "other" }] })
  expect(saved.dependents[0]!.gender).toBe("other")
  const [entry] = await manager.members.activity({ memberId })
  expect(entry!.changes).toEqual([
    {
      field: "dependents",
      before: ["Kim Nkosi (child, female, 2015-03-04, covered from 2026-11-02)"],
      after: ["Kim Nkosi (child, other, 2015-03-04, covered from 2026-11-02)"],
    },
  ])
})

test("refuses a missing required field with its declared message", async () => {
  const { id: memberId, version } = await memberWith(dependent)
  const wrong = { ...dependent, relationship: null as unknown as "child" }
  await expect(manager.members.update({ memberId, version, dependents: [wrong] })).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "dependents.0.relationship", message: "Choose the relationship" }] },
  })
})

test("every declared field is in the person file", async () => {
  const { id } = await memberWith(dependent)
  const { rows } = archiveSectionsOf(id).find(({ name }) => name === "dependents")!
  const [row] = await app.sql.rows<Record<string, unknown>>(rows)
  expect(Object.keys(row!).slice(0, dependentFieldNames.length)).toEqual(dependentFieldNames.map(columnOf))
  expect(row!.gender).toBe("female")
})
