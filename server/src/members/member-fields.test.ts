import { randomUUID } from "node:crypto"
import { columnOf, type DeclaredField } from "@milkwood/domain/kernel/declared-field"
import { memberFieldNames, memberFields } from "@milkwood/domain/members/member-fields"
import { defaultDefinition } from "@milkwood/domain/reports/custom-report"
import { sql } from "drizzle-orm"
import Papa from "papaparse"
import { afterAll, beforeAll, expect, test } from "vitest"
import { describeApi } from "../http/reference.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { archiveSectionsOf } from "../privacy/about-person.queries.ts"
import { routes } from "../routes.ts"
import {
  createCheckedList,
  createImportedList,
  openStaffListApp,
  type StaffListApp,
} from "../staff-lists/staff-lists.samples.ts"
import { productFiles } from "../test/product-files.ts"
import { createMember, sampleIdNumber } from "./members.samples.ts"

/* A plain member field is declared in one place. These tests use the preferred language, which no other code names. */

let desk: StaffListApp
beforeAll(async () => {
  desk = await openStaffListApp()
})
afterAll(() => desk.app.close())

const managerClient = () => desk.app.as(desk.app.people.manager)
const createMemberWith = async (preferredLanguage: "zu" | "af") => {
  const policy = await createActivePolicy(managerClient(), { groupName: `Language ${randomUUID()}` })
  const made = await createMember(managerClient(), policy.id)
  const { id: memberId, version, contact } = made
  return managerClient().members.update({ memberId, version, contact: { ...contact, preferredLanguage } })
}

test("only the declaration, table, migration and rules file name the preferred language", () => {
  const names = /preferredLanguage|preferred_language/
  const files = productFiles()
    .filter(({ text }) => names.test(text))
    .map(({ path }) => path)
  expect(files).toEqual([
    "domain/src/members/member-fields.ts",
    "server/migrations/0007_members.sql",
    "server/migrations/0008_staff-lists.sql",
    "server/src/members/members.rules.sql",
    "server/src/members/members.tables.ts",
  ])
})

test("every declared field is a column of members and of staff list rows", async () => {
  const columnsOf = (table: string) =>
    desk.app.sql.rows<{ name: string; isOptional: boolean }>(sql`
      select column_name as name, is_nullable = 'YES' and column_default is null as "isOptional"
      from information_schema.columns where table_name = ${table}`)
  const expected = memberFieldNames.map(columnOf)
  const ofMembers = await columnsOf("members")
  expect(ofMembers.map(({ name }) => name)).toEqual(expect.arrayContaining(expected))
  const ofRows = (await columnsOf("staff_list_rows")).filter(({ name }) => expected.includes(name))
  expect(ofRows.map(({ name }) => name).sort()).toEqual([...expected].sort())
  expect(
    ofRows.filter(({ isOptional }) => !isOptional),
    "null means that the staff list has no value: the columns of staff_list_rows have no `not null` and no default",
  ).toEqual([])
})

test("a saved field is kept when an update omits it", async () => {
  const { id: memberId, version, contact } = await createMemberWith("zu")
  expect(contact.preferredLanguage).toBe("zu")
  const { email, phone } = contact
  const kept = await managerClient().members.update({
    memberId,
    version,
    contact: { email, phone, address: "2 Long Street" },
  })
  expect(kept.contact).toEqual({ ...contact, address: "2 Long Street" })
  const nothing = { ...kept.contact, preferredLanguage: null }
  const { contact: emptied } = await managerClient().members.update({
    memberId,
    version: kept.version,
    contact: nothing,
  })
  expect(emptied.preferredLanguage).toBeNull()
})

test("refuses a value that is not a choice", async () => {
  const { id: memberId, version, contact } = await createMemberWith("zu")
  const wrong = { ...contact, preferredLanguage: "Klingon" as "zu" }
  await expect(managerClient().members.update({ memberId, version, contact: wrong })).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [expect.objectContaining({ path: "contact.preferredLanguage" })] },
  })
})

test("the history has a field's old and new values", async () => {
  const { id: memberId, version, contact } = await createMemberWith("zu")
  await managerClient().members.update({ memberId, version, contact: { ...contact, preferredLanguage: "af" } })
  const [entry] = await managerClient().members.activity({ memberId })
  expect(entry!.changes).toEqual([{ field: "preferredLanguage", before: "zu", after: "af" }])
})

test("a field appears in the list and its export", async () => {
  const member = await createMemberWith("zu")
  const { rows } = await managerClient().members.list({ policyId: member.policy.id })
  expect(rows.find(({ id }) => id === member.id)!.preferredLanguage).toBe("zu")
  const address = `/api/members.csv?policyId=${member.policy.id}`
  const answer = await fetch(desk.server.url + address, { headers: desk.server.headersOf(desk.app.people.manager) })
  expect(answer.status).toBe(200)
  const { data } = Papa.parse<Record<string, string>>(await answer.text(), { header: true, skipEmptyLines: true })
  expect(data.find((row) => row.Number === member.number)!["Preferred language"]).toBe("isiZulu")
})

const header = "First Name,Last Name,ID Number,Email,Group Policy,Language"
const csvRowOf = (id: string, language: string) => `Anna,Nkosi,${id},anna@list.example,,${language}`

test("a staff list sets and changes a field, and undo restores the old value", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: `Lists ${randomUUID()}` })
  const actor = desk.app.people.manager
  const id = sampleIdNumber(7_001)
  const language = async () => {
    const { rows } = await managerClient().members.list({ policyId: policy.id })
    return rows.filter(({ idNumber }) => idNumber === id).map(({ preferredLanguage }) => preferredLanguage)
  }
  await createImportedList(desk, actor, policy.id, "first.csv", [header, csvRowOf(id, "Zulu")].join("\n"))
  expect(await language()).toEqual(["zu"])
  // An empty cell changes nothing.
  const { counts } = await createCheckedList(desk, actor, policy.id, "empty.csv", [header, csvRowOf(id, "")].join("\n"))
  expect(counts).toMatchObject({ joiner: 0, change: 0, unchanged: 1 })

  const { id: importId, version } = await createCheckedList(
    desk,
    actor,
    policy.id,
    "second.csv",
    [header, csvRowOf(id, "TSHIVENDA")].join("\n"),
  )
  const { rows } = await managerClient().staffLists.rows({ importId })
  expect(rows[0]!.changes).toEqual([{ field: "Preferred language", before: "isiZulu", after: "Tshivenḓa" }])
  await managerClient().staffLists.import({ importId, version, idempotencyKey: randomUUID(), applyChanges: true })
  await desk.app.runJobs()
  expect(await language()).toEqual(["ve"])
  const done = await managerClient().staffLists.detail({ importId })
  await managerClient().staffLists.undo({ importId, version: done.version })
  expect(await language()).toEqual(["zu"])
})

test("an unknown choice in a staff list causes a warning that names the field", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: `Warnings ${randomUUID()}` })
  const file = [header, csvRowOf(sampleIdNumber(7_002), "Klingon")].join("\n")
  const { id: importId } = await createCheckedList(desk, desk.app.people.manager, policy.id, "odd.csv", file)
  const { rows } = await managerClient().staffLists.rows({ importId })
  expect(rows[0]!.problems.map(({ sentence }) => sentence)).toContain(
    "The preferred language “Klingon” is not recognised and is left out",
  )
})

test("every declared field is in the person file", async () => {
  const { id } = await createMemberWith("zu")
  const { rows } = archiveSectionsOf(id).find(({ name }) => name === "member")!
  const [row] = await desk.app.sql.rows<Record<string, unknown>>(rows)
  expect(Object.keys(row!)).toEqual(expect.arrayContaining(memberFieldNames.map(columnOf)))
  expect(row!.preferred_language).toBe("zu")
})

test("a custom report can show a field", async () => {
  await createMemberWith("zu")
  const definition = {
    ...{ ...defaultDefinition, type: "members" as const, range: "all" as const },
    fields: ["memberNumber", "preferredLanguage"],
  }
  const { rows } = await managerClient().reports.custom.preview({ definition })
  expect(JSON.stringify(rows)).toContain('"zu"')
})

test("the API reference describes every declared field by its label", async () => {
  const text = JSON.stringify(await describeApi(routes))
  for (const { label } of Object.values<DeclaredField>(memberFields)) expect(text).toContain(`"description":"${label}`)
})
