import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { refusesRow } from "@milkwood/domain/staff-lists/staff-list-problems"
import type { StaffListRow } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createDraftInvoice } from "../billing/billing.samples.ts"
import { createActivePolicy, createDraftPolicy } from "../policies/policies.samples.ts"
import {
  censusFolder,
  createCheckedList,
  createImportedList,
  expectedAnswers,
  openStaffListApp,
  type StaffListApp,
  uploadListAs,
} from "./staff-lists.samples.ts"

let desk: StaffListApp
beforeAll(async () => {
  desk = await openStaffListApp()
})
afterAll(() => desk.app.close())

const managerActor = () => desk.app.people.manager
const managerClient = () => desk.app.as(managerActor())

let groups = 0
const createDraft = (groupName = `Group ${++groups}`): Promise<PolicyDetail> =>
  createDraftPolicy(managerClient(), { groupName })
const createActive = (groupName = `Group ${++groups}`): Promise<PolicyDetail> =>
  createActivePolicy(managerClient(), { groupName })

async function readAllRows(importId: string, filter: object = {}): Promise<StaffListRow[]> {
  const rows: StaffListRow[] = []
  for (let page = 1; ; page++) {
    const found = await managerClient().staffLists.rows({ importId, page, pageSize: 100, ...filter })
    rows.push(...found.rows)
    if (rows.length >= found.total) return rows
  }
}

const errorRowsOf = (rows: StaffListRow[]) =>
  Object.fromEntries(
    rows
      .filter(({ status }) => status === "error")
      .map(({ row, problems }) => [
        row,
        problems
          .map(({ code }) => code)
          .filter(refusesRow)
          .join(" "),
      ]),
  )

describe("a staff list", () => {
  const files = Object.keys(expectedAnswers).flatMap((name) =>
    name.startsWith("3-") ? [name, name.replace(".csv", ".xlsx"), name.replace(".csv", ".xls")] : [name],
  )

  test.each(files)("%s creates members from all rows except the refused ones", async (name) => {
    const answer = expectedAnswers[name.replace(/\.xlsx?$/, ".csv")]!
    const { id: policyId } = await createDraft(`${answer.group}${name.endsWith(".csv") ? "" : ` ${name}`}`)
    // Group names must be unique, so the description has the name that the list contains.
    await desk.app.sql.run(sql`update policies set description = ${answer.group} where id = ${policyId}`)
    const done = await createImportedList(desk, managerActor(), policyId, name)
    const refused = Object.keys(answer.errors).length
    expect(done).toMatchObject({
      status: "completed",
      rowCount: answer.rows,
      errorCount: refused,
      addedCount: answer.rows - refused,
    })
    expect(errorRowsOf(await readAllRows(done.id))).toEqual(answer.errors)
    const stored = await desk.app.sql.row<{ members: number; numbers: number; pending: number }>(sql`
      select count(*) as members, count(distinct number) as numbers, count(*) filter (where status = 'Pending') as pending
      from members where policy_id = ${policyId}`)
    const members = answer.rows - refused
    expect(stored).toEqual({ members, numbers: members, pending: members })
  })

  test("keeps names as written, including in Windows-1252, and formulas as text", async () => {
    const names = await desk.app.sql.rows<{ name: string }>(
      sql`select distinct last_name as name from members where last_name in ('Müller', 'Böhm')`,
    )
    expect(names).toHaveLength(2)
    const hostile = await desk.app.sql.rows<{ first: string; last: string; job: string }>(sql`
      select m.first_name as first, m.last_name as last, m.job_title as job from members m join policies p on p.id = m.policy_id
      where p.description = ${expectedAnswers["4-hostile.csv"]!.group} and m.number in (
        select number from members where policy_id = p.id order by number limit 8) order by m.number`)
    expect(hostile[4]).toEqual({ first: '=HYPERLINK("http://example.invalid","x")', last: "Phiri", job: "Miner" })
    expect(hostile[5]!.job).toBe("+1+1")
    expect(hostile[6]!.last).toBe("<img src=x onerror=alert(1)>")
    expect(hostile[7]!.job).toBe("@SUM(A1)")
  })

  test("marks members as incomplete if it lacks their details", async () => {
    const member = await desk.app.sql.row(sql`
      select m.to_complete as "toComplete", m.gender, m.phone from members m where id_number = '6805117122081'`)
    expect(member).toEqual({ toComplete: ["employmentStatus"], gender: "male", phone: "0746331490" })
  })

  test("returns its refused rows to correct and import again", async () => {
    const { id: policyId } = await createDraft(expectedAnswers["4-hostile.csv"]!.group)
    const done = await createImportedList(desk, managerActor(), policyId, "4-hostile.csv")
    const answer = await fetch(`${desk.server.url}/api/members/imports/${done.id}/refused`, {
      headers: desk.server.headersOf(managerActor()),
    })
    const text = await answer.text()
    expect(answer.headers.get("content-disposition")).toContain("4-hostile - rejected rows.csv")
    expect(text.split("\r\n")[0]).toContain("Group Policy,Row in the list,Reason for rejection")
    expect(text).toContain("The last name is missing")
    // Only the address that lost its @ is corrected.
    const mended = await createImportedList(
      desk,
      managerActor(),
      policyId,
      "mended.csv",
      text.replace(/ at umhlanga/, "@umhlanga"),
    )
    expect(mended).toMatchObject({ rowCount: 9, addedCount: 1, errorCount: 7 })
    // The other row was listed twice, so the person is already a member.
    expect((await readAllRows(mended.id, { outcome: "change" })).map(({ lastName }) => lastName)).toEqual([
      "D'Oliveira",
    ])
  })
})

describe("an import into a policy in force", () => {
  const head = "First Name,Last Name,ID Number,Email,Job Title,Benefit Tier,Start Date,Group Policy"
  const anna = "Anna,Nkosi,8506255853085,anna@list.example,Clerk,Gold,2026-09-01,"
  const ben = "Ben,Botha,7605094246088,ben@list.example,Driver,Silver,2026-09-01,"
  // There is no gender column, so Ben's female ID number is accepted.
  const list = (...rows: string[]) => [head, ...rows].join("\n")

  test("covers joiners, previews changes and leavers, and can be undone completely", async () => {
    const policy = await createActive()
    const first = await createImportedList(desk, managerActor(), policy.id, "first.csv", list(anna, ben))
    expect(first.counts).toMatchObject({ joiner: 2, leaver: 1, error: 0 })
    expect(first.addedCount).toBe(2)
    const before = await readSnapshot(policy.id)
    expect(before.filter(({ covers }) => covers.length === 1)).toHaveLength(3)

    desk.app.clock.advance({ hours: 1 })
    const changed = anna.replace("Clerk", "Manager").replace("Gold", "Platinum").replace("2026-09-01", "2026-10-01")
    const second = await createCheckedList(desk, managerActor(), policy.id, "second.csv", list(changed))
    expect(second.counts).toMatchObject({ change: 1, joiner: 0, leaver: 2, warning: 1 })
    const [row] = await readAllRows(second.id, { outcome: "change" })
    expect(row!.changes).toEqual([
      { field: "Benefit tier", before: "Gold", after: "Platinum" },
      { field: "Job title", before: "Clerk", after: "Manager" },
    ])
    expect(row!.problems[0]!.sentence).toContain("keeps that start date")
    await managerClient().staffLists.import({
      importId: second.id,
      version: second.version,
      idempotencyKey: randomUUID(),
      changesOn: "2026-12-01",
      leaversOn: "2026-11-15",
    })
    await desk.app.runJobs()
    const done = await managerClient().staffLists.detail({ importId: second.id })
    expect(done).toMatchObject({ status: "completed", changedCount: 1, endedCount: 2, addedCount: 0 })
    const entries = (await managerClient().reports.recentActivity({ limit: 50 })).filter(({ sentence }) =>
      sentence.includes("second.csv"),
    )
    expect(entries.map(({ actor, record }) => [actor, record.kind])).toEqual([[managerActor().name, "policy"]])
    const after = await readSnapshot(policy.id)
    expect(after.filter(({ status }) => status === "Terminated")).toHaveLength(2)
    const moved = after.find(({ email }) => email === "anna@list.example")!
    expect(moved).toMatchObject({ tier: "Gold", job: "Manager" })
    expect(moved.covers).toEqual(["Gold [2026-09-01,2026-12-01)", "Platinum [2026-12-01,)"])

    desk.app.clock.advance({ hours: 1 })
    await managerClient().staffLists.undo({ importId: second.id, version: done.version })
    expect(await readSnapshot(policy.id)).toEqual(before)
    const listed = await managerClient().staffLists.detail({ importId: first.id })
    await managerClient().staffLists.undo({ importId: first.id, version: listed.version })
    expect(await readSnapshot(policy.id)).toHaveLength(1)
  })

  test("refuses joiners who became members after the list was checked", async () => {
    const policy = await createActive()
    const one = await createCheckedList(desk, managerActor(), policy.id, "one.csv", list(anna, ben))
    const two = await createCheckedList(desk, managerActor(), policy.id, "two.csv", list(anna))
    for (const { id: importId, version } of [two, one]) {
      await managerClient().staffLists.import({ importId, version, idempotencyKey: randomUUID() })
    }
    await desk.app.runJobs()
    const done = await managerClient().staffLists.detail({ importId: one.id })
    expect(done).toMatchObject({ status: "completed", addedCount: 1, errorCount: 1 })
    expect(errorRowsOf(await readAllRows(one.id))).toEqual({ 1: "joined_since" })
  })

  test("warns of a person in another policy, refuses another group's rows and an unknown tier", async () => {
    const policy = await createActive()
    await createImportedList(desk, managerActor(), policy.id, "first.csv", list(anna))
    const other = await createActive("Elsewhere Ltd")
    const checked = await createCheckedList(
      desk,
      managerActor(),
      other.id,
      "rows.csv",
      list(anna, `${ben}Some Other Group`, ben.replace("Silver", "Diamond").replace("7605094246088", "9008140868088")),
    )
    const rows = await readAllRows(checked.id)
    expect(rows[0]).toMatchObject({ status: "warning", outcome: "joiner" })
    expect(rows[0]!.problems[0]!.sentence).toMatch(/^This person is also a member of policy GP-2026-/)
    expect(errorRowsOf(rows)).toEqual({ 2: "other_group", 3: "unknown_tier" })
    expect(rows[2]!.problems[0]!.sentence).toContain("the tiers are Standard, Silver, Gold, Platinum")
  })

  test("cannot be undone once a member is billed", async () => {
    const policy = await createActive()
    const done = await createImportedList(desk, managerActor(), policy.id, "first.csv", list(anna))
    await createDraftInvoice(managerClient(), { policyId: policy.id, month: "2026-12-01", invoiceOn: "2026-12-01" })
    await expect(managerClient().staffLists.undo({ importId: done.id, version: done.version })).rejects.toMatchObject({
      code: "HAS_HISTORY",
    })
  })

  test("prevents a draft policy from changing its group, even after the list is discarded", async () => {
    const draft = await createDraft()
    const list = await createCheckedList(desk, managerActor(), draft.id, "first.csv", [head, anna].join("\n"))
    await managerClient().staffLists.discard({ importId: list.id, version: list.version })
    const { groupId } = await createDraft()
    await expect(
      managerClient().policies.saveDraft({ policyId: draft.id, version: draft.version, groupId }),
    ).rejects.toMatchObject({ code: "GROUP_HAS_MEMBERS" })
  })

  test("cannot be undone after the policy has ended, so no member is reinstated", async () => {
    const policy = await createActive()
    await createImportedList(desk, managerActor(), policy.id, "first.csv", list(anna, ben))
    desk.app.clock.advance({ hours: 1 })
    const second = await createCheckedList(desk, managerActor(), policy.id, "second.csv", list(anna))
    const { id: importId, version } = second
    const idempotencyKey = randomUUID()
    await managerClient().staffLists.import({ importId, version, idempotencyKey, leaversOn: "2026-11-15" })
    await desk.app.runJobs()
    const done = await managerClient().staffLists.detail({ importId })
    expect(done.endedCount).toBe(2)
    desk.app.clock.advance({ hours: 1 })
    const policyNow = await managerClient().policies.detail({ policyId: policy.id })
    await managerClient().policies.terminate({
      policyId: policy.id,
      version: policyNow.version,
      on: "2026-11-18",
      reason: "Left",
    })
    const before = await readSnapshot(policy.id)
    await expect(managerClient().staffLists.undo({ importId, version: done.version })).rejects.toMatchObject({
      code: "POLICY_ENDED",
      message: "The policy has ended: its members cannot be changed.",
    })
    expect(await readSnapshot(policy.id)).toEqual(before)
  })
})

async function readSnapshot(policyId: string) {
  return desk.app.sql.rows<{ email: string; status: string; job: string; tier: string; covers: string[] }>(sql`
    select m.email, m.status, m.job_title as job, t.name as tier, m.end_on as "endOn",
      array(select ct.name || ' ' || c.valid::text from member_covers c join benefit_tiers ct on ct.id = c.tier_id
        where c.member_id = m.id and c.superseded_at is null order by c.valid) as covers
    from members m join benefit_tiers t on t.id = m.tier_id where m.policy_id = ${policyId} order by m.email`)
}

describe("uploading a staff list", () => {
  const send = (name: string, content: Buffer | string, policyId: string) =>
    uploadListAs(desk, managerActor(), policyId, name, content)

  test("refuses a file that is not a staff list, with a sentence", async () => {
    const { id } = await createDraft()
    const xlsx = readFileSync(join(censusFolder, "3-titled-leading-zeros.xlsx"))
    const cases: [string, Buffer | string, string][] = [
      ["list.csv", xlsx, "is not a .csv file"],
      ["list.xlsx", "a,b\n1,2\n", "is not a .xlsx file"],
      ["list.svg", "<svg/>", "has an unsupported type"],
      ["list.csv", "", "is empty"],
      ["list.csv", "hello", "No list found"],
      ["list.csv", "First Name,Last Name,ID Number,Email\n", "no rows"],
      ["list.csv", Buffer.alloc(10 * 1024 * 1024 + 10, "a,b\n"), "larger than 10 MB"],
      ["list.xlsx", xlsx.subarray(0, 90_000), "damaged"],
    ]
    for (const [name, content, sentence] of cases) {
      const answer = await send(name, content, id)
      expect(answer.status, sentence).toBe(422)
      expect(JSON.stringify(await answer.json())).toContain(sentence)
    }
    const stored = await desk.app.sql.row<{ imports: number }>(
      sql`select count(*) as imports from staff_lists where policy_id = ${id}`,
    )
    expect(stored!.imports).toBe(0)
  })

  test("removes control characters and half surrogates from shown and stored text", async () => {
    const group = "Odd Signs"
    const policy = await createDraft(group)
    // Longer than the part used to detect text files; the cell limit splits a surrogate pair.
    const address = "x".repeat(4_100)
    const half = `${"y".repeat(staffListLimits.cellCharacters - 1)}\u{1f600}`
    const list = [
      "First Name,Last Name,ID Number,Email,Group Policy,Address",
      `Anna,Long,,anna@example.test,${group},${address}`,
      `Be\0rt,Zero,,be\0rt@example.test,${group},Here`,
      `Cleo,Half,${half},cleo@example.test,${group},Here`,
    ].join("\n")
    const found = await createCheckedList(desk, managerActor(), policy.id, "odd.csv", list)
    expect(found).toMatchObject({ status: "ready", failure: null, rowCount: 3 })
    expect((await readAllRows(found.id))[1]).toMatchObject({ lastName: "Zero" })
  })

  test("names missing required columns and remembers the mapping for the group", async () => {
    const { id } = await createDraft()
    const content = "Wer,Nachname,Nummer,Post\nAnna,Nkosi,8506255853085,anna@list.example\n"
    const { importId } = (await (await send("de.csv", content, id)).json()) as { importId: string }
    const { staffLists } = managerClient()
    const found = await staffLists.detail({ importId })
    expect(found.mapping).toEqual({})
    await expect(staffLists.check({ importId, version: found.version, mapping: {} })).rejects.toMatchObject({
      code: "INVALID",
      data: {
        fields: expect.arrayContaining([{ path: "mapping.firstName", message: "Choose the column for First name" }]),
      },
    })
    const mapping = { firstName: 0, lastName: 1, idNumber: 2, email: 3, groupPolicyChosen: true }
    await staffLists.check({ importId, version: found.version, mapping })
    await desk.app.runJobs()
    expect((await staffLists.detail({ importId })).counts).toMatchObject({ joiner: 1, warning: 1 })
    const again = (await (await send("de.csv", content, id)).json()) as { importId: string }
    expect((await staffLists.detail(again)).mapping).toEqual({ firstName: 0, lastName: 1, idNumber: 2, email: 3 })
  })
})

describe("import permissions", () => {
  test("a group administrator imports into their own groups and undoes their own imports", async () => {
    const policy = await createActive()
    const own = await desk.app.people.groupAdmin(policy.groupId)
    const done = await createImportedList(
      desk,
      own,
      policy.id,
      "list.csv",
      "First Name,Last Name,ID Number,Email,Group Policy\nAnna,Nkosi,8506255853085,a@b.example,\n",
    )
    expect(done).toMatchObject({ status: "completed", addedCount: 1 })
    expect(done.allowedActions).toContain("undo")
    const colleague = await desk.app.people.groupAdmin(policy.groupId)
    const seen = await desk.app.as(colleague).staffLists.detail({ importId: done.id })
    expect(seen.allowedActions).not.toContain("undo")
    await expect(
      desk.app.as(colleague).staffLists.undo({ importId: done.id, version: done.version }),
    ).rejects.toMatchObject({ code: "FORBIDDEN" })
    await desk.app.as(own).staffLists.undo({ importId: done.id, version: done.version })

    const stranger = await desk.app.people.groupAdmin((await createDraft()).groupId)
    const unknown = { code: "NOT_FOUND", message: "This import does not exist." }
    for (const importId of [done.id, randomUUID()]) {
      const { staffLists } = desk.app.as(stranger)
      await expect(staffLists.detail({ importId })).rejects.toMatchObject(unknown)
      await expect(staffLists.rows({ importId })).rejects.toMatchObject(unknown)
      await expect(staffLists.undo({ importId, version: 1 })).rejects.toMatchObject(unknown)
      await expect(staffLists.discard({ importId, version: 1 })).rejects.toMatchObject(unknown)
    }
    expect((await desk.app.as(stranger).staffLists.list({})).total).toBe(0)
    expect((await uploadListAs(desk, stranger, policy.id, "1-plain.csv")).status).toBe(404)
    expect((await uploadListAs(desk, desk.app.people.underwriter, policy.id, "1-plain.csv")).status).toBe(403)
    expect((await uploadListAs(desk, null, policy.id, "1-plain.csv")).status).toBe(401)
  })

  test("a policy holder reads the preview with ID numbers masked", async () => {
    const policy = await createDraft(expectedAnswers["2-semicolon-cp1252.csv"]!.group)
    const checked = await createCheckedList(desk, managerActor(), policy.id, "2-semicolon-cp1252.csv")
    const holder = desk.app.as(await desk.app.people.policyHolder(policy.groupId)).staffLists
    const { rows } = await holder.rows({ importId: checked.id, pageSize: 100 })
    expect(JSON.stringify(rows)).not.toMatch(/\d{9,}/)
    const detail = await holder.detail({ importId: checked.id })
    expect(detail).toMatchObject({ sample: [], allowedActions: [] })
    expect((await holder.rows({ importId: checked.id, search: "8506255853085" })).total).toBe(0)
  })
})
