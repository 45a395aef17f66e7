import { randomUUID } from "node:crypto"
import type { MemberDetail } from "@milkwood/domain/members/members.contract"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createActivePolicy, createDraftPolicy } from "../policies/policies.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { createMember, sampleIdNumber } from "./members.samples.ts"

let app: TestApp
let manager: Client
beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-02T08:00:00Z" })
  manager = app.as(app.people.manager)
})
afterAll(() => app?.close())

const errorWithCode = (expected: string) => expect.objectContaining({ code: expected })

const toDependentInput = ({ birthYear: _, ...dependent }: MemberDetail["dependents"][number]) => dependent

describe("adding a member", () => {
  test("a new member lists missing details to complete, as in a staff list", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Phoneless" })
    const { tiers } = await manager.benefits.choices()
    const added = await manager.members.create({
      policyId: policy.id,
      tierId: tiers[0]!.id,
      personal: {
        firstName: "No",
        lastName: "Phone",
        idNumber: sampleIdNumber(7_700_001),
        passportNumber: null,
        dateOfBirth: null,
        gender: null,
      },
      contact: { email: "no@phone.example", phone: "", address: "" },
      employment: { employmentStatus: null, employer: "", jobTitle: "" },
    })
    expect(added).toMatchObject({ status: "Active", toComplete: ["phone", "employmentStatus"] })
  })

  test("a new member is pending in a draft policy, but active in an active policy", async () => {
    const draft = await createDraftPolicy(manager, { groupName: "Adders", startOn: "2026-06-01" })
    const pending = await createMember(manager, draft.id, { startOn: "2026-01-15" })
    expect(pending).toMatchObject({ status: "Pending", covers: [] })
    expect(pending.number).toMatch(/^M-\d{6}$/)
    expect(pending.personal.dateOfBirth).toMatch(/^19/)
    expect(pending.personal.gender).not.toBeNull()
    await manager.policies.activate({ policyId: draft.id, version: draft.version })
    const active = await manager.members.detail({ memberId: pending.id })
    expect(active.status).toBe("Active")
    expect(active.covers).toMatchObject([{ kind: "covered", tierName: "Standard", from: "2026-06-01", until: null }])
    const joiner = await createMember(manager, draft.id, { tier: "Gold" })
    expect(joiner).toMatchObject({
      status: "Active",
      startOn: "2026-11-02",
      covers: [{ from: "2026-11-02", tierName: "Gold" }],
    })
    const place = ({ number }: { number: string }) => Number(number.slice(2))
    expect(place(joiner)).toBe(place(pending) + 1)
  })

  test("a new member needs a passport number, or an ID number matching the birth date", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Identities" })
    const { tiers } = await manager.benefits.choices()
    const base = {
      policyId: policy.id,
      tierId: tiers[0]!.id,
      contact: { email: "a@b.example", phone: "0215550100", address: "" },
      employment: { employmentStatus: "employed" as const, employer: "", jobTitle: "" },
    }
    const person = { firstName: "Ann", lastName: "Nkosi", passportNumber: null, dateOfBirth: null, gender: null }
    const cases = [
      [{ ...person, idNumber: "1234" }, "personal"],
      [{ ...person, idNumber: "8001015009086" }, "personal"],
      [{ ...person, idNumber: "8001015009087", dateOfBirth: "1980-01-02" }, "personal"],
      [{ ...person, idNumber: null }, "personal"],
    ] as const
    const messages = await Promise.all(
      cases.map(([personal]) =>
        manager.members.create({ ...base, personal }).then(
          () => "accepted",
          (error: { code: string; data: { fields: { path: string }[] } }) =>
            `${error.code} ${error.data.fields[0]?.path}`,
        ),
      ),
    )
    expect(messages).toEqual(["INVALID idNumber", "INVALID idNumber", "INVALID dateOfBirth", "INVALID idNumber"])
    const foreign = await manager.members.create({
      ...base,
      personal: { ...person, idNumber: "", passportNumber: "A 123 456" },
    })
    expect(foreign.personal).toMatchObject({ idNumber: null, passportNumber: "A123456" })
    await expect(
      manager.members.create({ ...base, personal: { ...person, idNumber: null, passportNumber: "a123456" } }),
    ).rejects.toMatchObject({ code: "DUPLICATE_IN_POLICY", data: { memberId: foreign.id } })
  })

  test("refuses a duplicate member in a policy, and warns about one in another policy", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Once" })
    const other = await createActivePolicy(manager, { groupName: "Once more" })
    const tries = await Promise.allSettled(
      [1, 2, 3, 4].map(() => createMember(manager, policy.id, { person: 9_000_001 })),
    )
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    for (const attempt of tries) {
      if (attempt.status === "rejected") expect(attempt.reason.code).toBe("DUPLICATE_IN_POLICY")
    }
    const there = await createMember(manager, other.id, { person: 9_000_001 })
    expect(there.warnings).toEqual([`The same ID number is also in policy ${policy.number}`])
    const same = await manager.members.sameIdentity({ idNumber: sampleIdNumber(9_000_001), policyId: policy.id })
    expect(same.map(({ inThisPolicy }) => inThisPolicy).toSorted()).toEqual([false, true])
    await manager.members.terminate({ memberId: there.id, version: there.version, on: "2026-11-02", reason: "Left" })
    const again = await createMember(manager, other.id, { person: 9_000_001 })
    expect(again.status).toBe("Active")
  })

  test("refuses a new member in an ended policy", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Ended" })
    await manager.policies.terminate({
      policyId: policy.id,
      version: policy.version,
      on: "2026-11-01",
      reason: "Grace period ended",
    })
    await expect(createMember(manager, policy.id)).rejects.toEqual(errorWithCode("POLICY_ENDED"))
    await expect(manager.members.bulkAdd({ policyId: policy.id, text: "A B, a@b.co, Clerk" })).rejects.toEqual(
      errorWithCode("POLICY_ENDED"),
    )
  })
})

describe("editing a member", () => {
  test("saves one section of a member with an audit entry, and refuses a stale version", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Editors" })
    const member = await createMember(manager, policy.id)
    const act = { memberId: member.id, version: member.version }
    const saved = await manager.members.update({ ...act, contact: { ...member.contact, phone: "0820000000" } })
    expect(saved.contact.phone).toBe("0820000000")
    await expect(
      manager.members.update({ ...act, contact: { ...member.contact, phone: "abc" } }),
    ).rejects.toMatchObject({ code: "INVALID", data: { fields: [{ path: "contact.phone" }] } })
    await expect(
      manager.members.update({ ...act, employment: { ...member.employment, jobTitle: "Chef" } }),
    ).rejects.toMatchObject({ code: "STALE", data: { version: expect.any(Number) } })
    const [entry] = await manager.members.activity({ memberId: member.id })
    expect(entry).toMatchObject({ fact: "MemberUpdated", changes: [{ field: "phone", after: "0820000000" }] })
  })

  test("saving a member updates only changed dependents, and warns about unusual families", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Families" })
    const person = { idNumber: null, dateOfBirth: null, gender: null }
    const member = await createMember(manager, policy.id, {
      dependents: [
        { ...person, firstName: "Sam", lastName: "Nkosi", relationship: "spouse" },
        { ...person, firstName: "Cleo", lastName: "Nkosi", relationship: "child", dateOfBirth: "2004-11-02" },
        { ...person, firstName: "Gone", lastName: "Nkosi", relationship: "other" },
      ],
    })
    const rows = () =>
      app.sql.rows<{ id: string; createdAt: string; updatedAt: string }>(sql`
        select id, created_at as "createdAt", updated_at as "updatedAt" from dependents where member_id = ${member.id} order by position`)
    const before = await rows()
    app.clock.set("2026-11-02T09:00:00Z")
    const [sam, cleo] = member.dependents.map(toDependentInput)
    const saved = await manager.members.update({
      memberId: member.id,
      version: member.version,
      dependents: [
        sam!,
        { ...cleo!, firstName: "Cleopatra" },
        { ...person, firstName: "Second", lastName: "Spouse", relationship: "spouse" },
      ],
    })
    const after = await rows()
    expect(saved.dependents.map(({ firstName }) => firstName)).toEqual(["Sam", "Cleopatra", "Second"])
    expect(after.map(({ id }) => id).slice(0, 2)).toEqual(before.map(({ id }) => id).slice(0, 2))
    expect(after[0]).toEqual(before[0])
    expect(after[1]!.updatedAt).not.toBe(before[1]!.updatedAt)
    expect(saved.warnings).toEqual(["2 spouses are on record", "Cleopatra Nkosi is a child aged 22, over 21"])
    const numbered = await manager.members.update({
      memberId: member.id,
      version: saved.version,
      dependents: saved.dependents
        .map(toDependentInput)
        .map((each) =>
          each.firstName === "Cleopatra" ? { ...each, dateOfBirth: null, idNumber: sampleIdNumber(9_000_017) } : each,
        ),
    })
    const idNumber = numbered.dependents[1]!.idNumber!
    const trail = async (client: Client) =>
      (await client.members.activity({ memberId: member.id }))[0]!.changes.map(({ field, after }) => [field, after])
    expect(await trail(manager)).toContainEqual(["dependentIdNumbers", [`Cleopatra Nkosi: ${idNumber}`]])
    const holder = app.as(await app.people.policyHolder(policy.groupId))
    expect((await trail(holder)).map(([field]) => field)).toEqual(["dependents"])
    expect(JSON.stringify(await holder.members.activity({ memberId: member.id }))).not.toContain(idNumber)
    app.clock.set("2026-11-02T08:00:00Z")
    const stranger = await createMember(manager, policy.id)
    await expect(
      manager.members.update({ memberId: stranger.id, version: stranger.version, dependents: [sam!] }),
    ).rejects.toMatchObject({ code: "INVALID", data: { fields: [{ path: "dependents.0" }] } })
  })
})

describe("bulk add and remove", () => {
  test("bulk add and remove accept many lines and state why a line was refused", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Texts" })
    await expect(manager.members.bulkAdd({ policyId: policy.id, text: " \n " })).rejects.toMatchObject({
      code: "INVALID",
      message: "Please provide member data to import.",
    })
    const text =
      "Ann van Wyk, ann@texts.example, Nurse\nBen Botha, ben@texts.example,\nno comma here\nAnn Again, ANN@texts.example, X"
    const added = await manager.members.bulkAdd({ policyId: policy.id, text })
    expect(added).toEqual({
      added: 2,
      refused: [
        { line: 3, text: "no comma here", reason: "Enter name, e-mail and position, separated by commas" },
        { line: 4, text: "Ann Again, ANN@texts.example, X", reason: "The e-mail address is already on line 1" },
      ],
    })
    const list = await manager.members.list({ policyId: policy.id, search: "texts.example" })
    expect(
      list.rows.map(({ firstName, lastName, jobTitle, toComplete }) => [firstName, lastName, jobTitle, toComplete]),
    ).toEqual([
      ["Ben", "Botha", "Employee", ["idNumber", "phone", "employmentStatus"]],
      ["Ann van", "Wyk", "Nurse", ["idNumber", "phone", "employmentStatus"]],
    ])
    const twice = await manager.members.bulkAdd({ policyId: policy.id, text })
    expect(twice.added).toBe(0)
    expect(twice.refused.map(({ line }) => line)).toEqual([1, 2, 3, 4])
    const asked = { policyId: policy.id, text: "ann@texts.example" }
    await expect(manager.members.bulkRemove(asked)).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "on" }, { path: "reason" }] },
    })
    const end = { on: "2026-11-02", reason: "Shop closed" }
    const removed = await manager.members.bulkRemove({
      ...end,
      policyId: policy.id,
      text: "ann@texts.example\nBen Botha, BEN@texts.example\nnobody@texts.example\nrubbish",
    })
    expect(removed.removed).toBe(2)
    expect(removed.refused.map(({ line, reason }) => [line, reason])).toEqual([
      [3, "No member of this policy has this e-mail address"],
      [4, "There is no e-mail address on this line"],
    ])
    const gone = await manager.members.list({ policyId: policy.id, status: "Terminated" })
    expect(gone.total).toBe(2)
    const { id: memberId } = gone.rows[0]!
    expect(await manager.members.detail({ memberId })).toMatchObject({ endOn: "2026-11-02", endReason: "Shop closed" })
    const [entry] = await manager.policies.activity({ policyId: policy.id })
    expect(entry?.sentence).toBe("removed 2 members: Ann van Wyk, Ben Botha")
  })

  test("bulk removal refuses an end before the first day of cover", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Text starters" })
    const starts = await createMember(manager, policy.id, { startOn: "2026-12-01" })
    const text = starts.contact.email
    const end = { on: "2026-11-02", reason: "Left" }
    expect(await manager.members.bulkRemove({ policyId: policy.id, text, ...end })).toEqual({
      removed: 0,
      refused: [
        { line: 1, text, reason: "Cover starts only on 2026-12-01. Set the last day on the member's page instead" },
      ],
    })
    expect(await manager.members.detail({ memberId: starts.id })).toEqual(starts)
  })

  test("bulk removal keeps an earlier end of membership; bulk add accepts a single-word name", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Text leavers" })
    const line = "Madonna, madonna@texts.example, Singer"
    expect(await manager.members.bulkAdd({ policyId: policy.id, text: line })).toEqual({ added: 1, refused: [] })
    const { rows } = await manager.members.list({ policyId: policy.id, search: "madonna" })
    expect(rows).toMatchObject([
      { firstName: "Madonna", lastName: "–", toComplete: expect.arrayContaining(["lastName"]) },
    ])
    const { id: memberId, version } = rows[0]!
    const kept = await manager.members.terminate({ memberId, version, on: "2026-11-10", reason: "Notice" })
    const removed = await manager.members.bulkRemove({
      policyId: policy.id,
      text: "madonna@texts.example",
      on: "2026-11-30",
      reason: "Left",
    })
    expect(removed).toMatchObject({ removed: 0, refused: [{ reason: "The membership already ends on 2026-11-10" }] })
    expect(await manager.members.detail({ memberId })).toEqual(kept)
  })

  test("bulk removal deletes members of a draft policy", async () => {
    const draft = await createDraftPolicy(manager, { groupName: "Text drafts" })
    await manager.members.bulkAdd({ policyId: draft.id, text: "Ann Botha, ann@d.example, Nurse" })
    await manager.members.bulkRemove({ policyId: draft.id, text: "ann@d.example" })
    expect(await manager.members.list({ policyId: draft.id })).toMatchObject({ total: 0 })
    const member = await createMember(manager, draft.id)
    expect(await manager.members.remove({ memberId: member.id, version: member.version })).toEqual({
      policyId: draft.id,
    })
    await expect(manager.members.detail({ memberId: member.id })).rejects.toEqual(errorWithCode("NOT_FOUND"))
  })
})

describe("finding members", () => {
  test("a search finds parts of names and numbers in the reader's groups, with literal wildcards", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Searchers" })
    const member = await createMember(manager, policy.id, { firstName: "Xanthippe", lastName: "Müller" })
    const groupAdmin = app.as(await app.people.groupAdmin(policy.groupId))
    const holder = app.as(await app.people.policyHolder(policy.groupId))
    const found = async (client: Client, search: string) =>
      (await client.members.list({ search })).rows.some(({ id }) => id === member.id)
    const idNumber = member.personal.idNumber!
    expect(await found(manager, "thippe mül")).toBe(true)
    expect(await found(manager, idNumber.slice(3))).toBe(true)
    expect(await found(manager, "SEARCHERS")).toBe(true)
    expect(await found(manager, "%")).toBe(false)
    expect(await found(groupAdmin, "xanth")).toBe(true)
    expect(await found(groupAdmin, "MÜL")).toBe(true)
    expect(await found(groupAdmin, member.number.toLowerCase())).toBe(true)
    expect(await found(groupAdmin, idNumber.slice(0, 8))).toBe(true)
    expect(await found(groupAdmin, "thippe")).toBe(true)
    expect(await found(holder, "xanth")).toBe(true)
    expect(await found(holder, idNumber)).toBe(false)
    const masked = (await holder.members.list({ search: "xanth" })).rows[0]!
    expect(masked.idNumber).toBe(`••••••••••${idNumber.slice(-3)}`)
    expect((await holder.members.detail({ memberId: member.id })).personal.idNumber).toBe(masked.idNumber)
    expect(masked.allowedActions).toEqual([])
    expect((await manager.members.pick({ search: "xanthippe" })).map(({ id }) => id)).toEqual([member.id])
  })

  test("policy holders see only the year of birth: of members, of dependents and in histories", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Birthdays" })
    const holder = app.as(await app.people.policyHolder(policy.groupId))
    const child = { firstName: "Kim", lastName: "Nkosi", relationship: "child" as const, dateOfBirth: "2015-03-04" }
    const made = await createMember(manager, policy.id, { dependents: [{ ...child, idNumber: null, gender: null }] })
    const { id: memberId, version, dependents } = made
    const born = made.personal.dateOfBirth!
    expect(born).toMatch(/^19\d\d-\d\d-\d\d$/)
    const [kim] = dependents.map(toDependentInput)
    await manager.members.update({ memberId, version, dependents: [{ ...kim!, dateOfBirth: "2014-03-04" }] })

    const shown = await holder.members.detail({ memberId })
    expect(shown).toMatchObject({ personal: { dateOfBirth: null }, birthYear: Number(born.slice(0, 4)) })
    expect(shown.dependents).toMatchObject([{ firstName: "Kim", dateOfBirth: null, birthYear: 2014 }])
    const told = JSON.stringify(await holder.members.activity({ memberId }))
    expect(told).toContain("Kim Nkosi (child, 2014, covered from")
    for (const day of [born, "2014-03-04", "2015-03-04"]) expect(told + JSON.stringify(shown)).not.toContain(day)
    expect(JSON.stringify(await manager.members.activity({ memberId }))).toContain("2014-03-04")
  })

  test("the member list's pages contain each member once for every sort", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Pages" })
    const lines = Array.from({ length: 60 }, (_, i) => `Same Name, p${i}@pages.example, Clerk`).join("\n")
    await manager.members.bulkAdd({ policyId: policy.id, text: lines })
    for (const sort of ["name", "number", "startOn", "status", "group", "policy", "tier"] as const) {
      for (const search of ["", "pages"]) {
        const seen = new Set<string>()
        for (const page of [1, 2, 3]) {
          const list = await manager.members.list({ policyId: policy.id, sort, search, page, dir: "desc" })
          expect(list.total).toBe(61)
          for (const { id } of list.rows) seen.add(id)
        }
        expect(seen.size).toBe(61)
      }
    }
    expect(await manager.members.list({ policyId: policy.id, page: 9 })).toMatchObject({ rows: [], total: 61 })
  })

  test("the member list sorts and filters by group, policy and tier (in tier order)", async () => {
    const { tiers } = await manager.benefits.choices()
    const ordered = ["Standard", "Silver", "Gold", "Platinum"]
    const groups = await Promise.all(
      ["Zebra Sorted", "Antelope Sorted"].map((groupName) => createActivePolicy(manager, { groupName })),
    )
    for (const { id } of groups)
      for (const tier of ["Gold", "Standard", "Platinum", "Silver"])
        await createMember(manager, id, { lastName: "Sorted", tier })
    const listed = async (more: object) =>
      (await manager.members.list({ search: "sorted", pageSize: 50, ...more })).rows
    for (const dir of ["asc", "desc"] as const) {
      const inOrder = <T>(all: T[]) => (dir === "asc" ? all : all.toReversed())
      const ranks = (await listed({ sort: "tier", dir })).map(({ tierName }) => ordered.indexOf(tierName))
      expect(ranks).toEqual(inOrder(ranks.toSorted()))
      expect(new Set(ranks).size).toBe(4)
      const names = (await listed({ sort: "group", dir })).map(({ groupName }) => groupName)
      expect([...new Set(names)]).toEqual(inOrder(["Antelope Sorted", "Zebra Sorted"]))
      const numbers = (await listed({ sort: "policy", dir })).map(({ policyNumber }) => policyNumber)
      expect(numbers).toEqual(inOrder(numbers.toSorted()))
    }
    const [zebra] = groups
    const gold = tiers.find(({ name }) => name === "Gold")!.id
    const found = await listed({ groupId: zebra!.groupId, policyId: zebra!.id, tierId: gold, sort: "tier" })
    expect(found).toMatchObject([{ lastName: "Sorted", tierName: "Gold", groupName: "Zebra Sorted" }])
  })
})

describe("other groups", () => {
  test("a member of another group is NOT_FOUND for every procedure with an id", async () => {
    const own = await createActivePolicy(manager, { groupName: "Own members" })
    const foreign = await createActivePolicy(manager, { groupName: "Foreign members" })
    const stranger = await createMember(manager, foreign.id, { lastName: "Strangerson" })
    const groupAdmin = app.as(await app.people.groupAdmin(own.groupId))
    const { tiers } = await manager.benefits.choices()
    const answers = async (memberId: string) => {
      const act = { memberId, version: 1, on: "2026-11-02", reason: "Prying" }
      const calls = [
        groupAdmin.members.detail({ memberId }),
        groupAdmin.members.activity({ memberId }),
        groupAdmin.members.coverOn({ memberId, on: "2026-11-02" }),
        groupAdmin.members.update({ memberId, version: 1, contact: { email: "", phone: "", address: "" } }),
        groupAdmin.members.suspend(act),
        groupAdmin.members.reinstate(act),
        groupAdmin.members.terminate(act),
        groupAdmin.members.changeTier({ ...act, tierId: tiers[0]!.id }),
        groupAdmin.members.remove({ memberId, version: 1 }),
      ]
      return Promise.all(calls.map((call) => (call as Promise<unknown>).catch((e) => `${e.code} ${e.message}`)))
    }
    const foreignAnswers = await answers(stranger.id)
    expect(foreignAnswers).toEqual(await answers(randomUUID()))
    expect(new Set(foreignAnswers)).toEqual(new Set(["NOT_FOUND This member does not exist."]))
    for (const policyId of [foreign.id, randomUUID()]) {
      await expect(createMember(groupAdmin, policyId)).rejects.toEqual(errorWithCode("NOT_FOUND"))
      await expect(groupAdmin.members.bulkAdd({ policyId, text: "A B, a@b.co, X" })).rejects.toEqual(
        errorWithCode("NOT_FOUND"),
      )
      await expect(groupAdmin.members.bulkRemove({ policyId, text: "a@b.co" })).rejects.toEqual(
        errorWithCode("NOT_FOUND"),
      )
      expect(await groupAdmin.members.list({ policyId })).toMatchObject({ rows: [], total: 0 })
    }
    expect(await groupAdmin.members.list({ search: "Stranger" })).toMatchObject({ rows: [], total: 0 })
    expect(await groupAdmin.members.pick({ search: "Stranger" })).toEqual([])
    const same = await groupAdmin.members.sameIdentity({ idNumber: stranger.personal.idNumber! })
    expect(same).toEqual([])
    const joined = await createMember(groupAdmin, own.id)
    expect(joined.allowedActions).toEqual(["edit", "suspend", "terminate", "changeTier", "claim"])
  })

  test("raw SQL without a scope returns no rows from any members table", async () => {
    const tables = [
      "employer_groups",
      "policies",
      "policy_premiums",
      "policy_cover_terms",
      "policy_periods",
      "members",
      "member_covers",
      "dependents",
    ]
    const counted = tables.map((table) => sql`(select count(*) from ${sql.raw(table)})`)
    const seen = await app.app.database.transaction("scoped", (tx) =>
      tx.row<{ n: number }>(sql`select ${sql.join(counted, sql` + `)} as n`),
    )
    expect(seen?.n).toBe(0)
  })
})

test("one or two letters match the starts of words, three match anywhere", async () => {
  const { id: policyId } = await createActivePolicy(manager, { groupName: "Short searches" })
  const base = await createMember(manager, policyId)
  const { groupId } = await manager.members.detail({ memberId: base.id })
  await app.sql.run(sql`update members set first_name = 'Wzandeka', last_name = 'Xqanyi' where id = ${base.id}`)
  const found = async (search: string) => (await manager.members.list({ policyId, search })).total
  expect([await found("x"), await found("xq"), await found("wz"), await found("qa"), await found("qan")]).toEqual([
    1, 1, 1, 0, 1,
  ])
  const employer = app.as(await app.people.groupAdmin(groupId))
  const theirs = async (search: string) => (await employer.members.list({ search })).total
  expect([await theirs("xq"), await theirs("qa"), await theirs("qan")]).toEqual([1, 0, 1])
})
