import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { afterAll, beforeAll, expect, test } from "vitest"
import { activePolicy } from "../policies/policies.samples.ts"
import { checkedList, type Desk, importedList, openStaffListApp } from "./staff-lists.samples.ts"

let desk: Desk
beforeAll(async () => {
  desk = await openStaffListApp()
})
afterAll(() => desk.app.close())

const manager = () => desk.app.people.manager
const newActive = (groupName: string) => activePolicy(desk.app.as(manager()), { groupName })

const list = (...rows: string[]) =>
  ["First Name,Last Name,ID Number,Email,Benefit Tier,Start Date,Group Policy", ...rows].join("\n")
const anna = "Anna,Nkosi,8506255853085,anna@list.example,Gold,2026-09-01,"
const ben = "Ben,Botha,7605094246088,ben@list.example,Silver,2026-09-01,"
const cleo = "Cleo,Meyer,9008140868088,cleo@list.example,,2026-09-01,"

test("only readers with access see a person's other policies, regardless of the uploader", async () => {
  const [own, hidden, sister] = [await newActive("Own"), await newActive("Hidden"), await newActive("Sister")]
  await importedList(desk, manager(), hidden.id, "hidden.csv", list(anna, ben, cleo))
  await importedList(desk, manager(), sister.id, "sister.csv", list(anna))
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
  for (const uploader of [manager(), everywhere, ownOnly]) {
    const { id: importId } = await checkedList(desk, uploader, own.id, "rows.csv", list(anna, ben, cleo))
    for (const [reader, seen] of [
      [manager(), seesAll],
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
