import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { createCheckedList, createImportedList, openStaffListApp, type StaffListApp } from "./staff-lists.samples.ts"

let desk: StaffListApp
beforeAll(async () => {
  desk = await openStaffListApp()
})
afterAll(() => desk.app.close())

const managerActor = () => desk.app.people.manager
const createActive = (groupName: string) => createActivePolicy(desk.app.as(managerActor()), { groupName })

const createCsv = (...rows: string[]) =>
  ["First Name,Last Name,ID Number,Email,Benefit Tier,Start Date,Group Policy", ...rows].join("\n")
const anna = "Anna,Nkosi,8506255853085,anna@list.example,Gold,2026-09-01,"
const ben = "Ben,Botha,7605094246088,ben@list.example,Silver,2026-09-01,"
const cleo = "Cleo,Meyer,9008140868088,cleo@list.example,,2026-09-01,"

test("only readers with access see a person's other policies, regardless of the uploader", async () => {
  const [own, hidden, sister] = [await createActive("Own"), await createActive("Hidden"), await createActive("Sister")]
  await createImportedList(desk, managerActor(), hidden.id, "hidden.csv", createCsv(anna, ben, cleo))
  await createImportedList(desk, managerActor(), sister.id, "sister.csv", createCsv(anna))
  const { groupAdmin, policyHolder } = desk.app.people
  const everywhere = await groupAdmin(own.groupId, hidden.groupId, sister.groupId)
  const sisters = await groupAdmin(own.groupId, sister.groupId)
  const ownOnly = await groupAdmin(own.groupId)
  const holder = await policyHolder(own.groupId)

  const also = ({ number }: PolicyDetail) => `This person is also a member of policy ${number}`
  const noTier = "The benefit tier is missing; Standard is used"
  const seesAll = [
    ["warning", also(hidden), also(sister)],
    ["warning", also(hidden)],
    ["warning", noTier, also(hidden)],
  ]
  const seesSister = [["warning", also(sister)], ["ready"], ["warning", noTier]]
  const seesOwn = [["ready"], ["ready"], ["warning", noTier]]
  for (const uploader of [managerActor(), everywhere, ownOnly]) {
    const { id: importId } = await createCheckedList(desk, uploader, own.id, "rows.csv", createCsv(anna, ben, cleo))
    for (const [reader, seen] of [
      [managerActor(), seesAll],
      [everywhere, seesAll],
      [sisters, seesSister],
      [ownOnly, seesOwn],
      [holder, seesOwn],
    ] as const) {
      const { staffLists } = desk.app.as(reader)
      const { rows } = await staffLists.rows({ importId, outcome: "joiner" })
      const words = rows.map(({ status, problems }) => [status, ...problems.map(({ sentence }) => sentence)])
      expect(words).toEqual(seen)
      const amount = (holds: (row: readonly string[]) => boolean) => seen.filter(holds).length
      const [ready, warning] = [amount(([status]) => status === "ready"), amount(([status]) => status === "warning")]
      expect((await staffLists.detail({ importId })).counts).toMatchObject({ ready, warning })
      expect((await staffLists.rows({ importId, status: "ready" })).total).toBe(ready)
      expect((await staffLists.rows({ importId, status: "warning" })).total).toBe(warning)
      const warnings = amount((row) => row.some((word) => word.startsWith("This person")))
      expect((await staffLists.rows({ importId, code: "in_other_policy" })).total).toBe(warnings)
    }
  }
})
