import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { emptyDraft } from "../kernel/declared-field.ts"
import { roles } from "../platform/permission.ts"
import { policyStatuses } from "../policies/policy.ts"
import { readBulkAdd, readBulkRemove } from "./bulk-members.ts"
import { checkDependents, diffDependents, warningsOfDependents } from "./dependents.ts"
import { type Member, type MemberStatus, maskIdNumber, memberStatuses, missingMemberFields } from "./member.ts"
import { type Cover, futureChangesOf, memberStatusOn } from "./member-cover.ts"
import { editMember } from "./member-edit.ts"
import { memberFields } from "./member-fields.ts"
import { emptyMember, memberSteps, missingFieldsInStep } from "./member-form.ts"
import { completeIdentity } from "./member-identity.ts"
import { allowedMemberActions, memberLifecycle } from "./member-lifecycle.ts"
import { memberPersonal } from "./member-shape.ts"
import { defaultStart } from "./member-start.ts"
import {
  changeTier,
  reinstateMember,
  removeMember,
  suspendMember,
  terminateMember,
  terminateOnDeath,
  withdrawPlans,
} from "./member-steps.ts"

describe("lifecycle table", () => {
  const table: Record<MemberStatus, Partial<Record<string, MemberStatus>>> = {
    Pending: { activate: "Active" },
    Active: { suspend: "Suspended", terminate: "Terminated" },
    Suspended: { reinstate: "Active", terminate: "Terminated" },
    Terminated: { reinstate: "Active" },
  }
  for (const status of memberStatuses) {
    for (const action of memberLifecycle.actions) {
      test(`${status}, ${action}: ${table[status][action] ?? "refused"}`, () => {
        expect(memberLifecycle.next(status, action)).toBe(table[status][action] ?? null)
      })
    }
  }
})

describe("allowed actions, by status, policy and role", () => {
  const writes: Record<MemberStatus, { open: string[]; ended: string[] }> = {
    Pending: { open: ["edit", "remove"], ended: ["edit", "remove"] },
    Active: { open: ["edit", "suspend", "terminate", "changeTier"], ended: ["edit"] },
    Suspended: { open: ["edit", "reinstate", "terminate", "changeTier"], ended: ["edit"] },
    Terminated: { open: ["reinstate"], ended: [] },
  }
  test("allows suspend and reinstate depending on the cover on record", () => {
    const allowed = (status: MemberStatus, kinds: ("covered" | "suspended")[]) =>
      allowedMemberActions({ status, policyStatus: "Active", kinds }, { role: "manager" })
    expect(allowed("Active", ["covered"])).not.toContain("reinstate")
    expect(allowed("Active", ["covered", "suspended"])).toContain("reinstate")
    expect(allowed("Suspended", ["covered", "suspended"])).toContain("suspend")
    expect(allowed("Suspended", ["suspended"])).not.toContain("suspend")
  })

  test("future changes can be withdrawn while the policy is open", () => {
    const planned = (policyStatus: "Active" | "Terminated", role: "manager" | "policy_holder") =>
      allowedMemberActions({ status: "Active", policyStatus, planned: true }, { role }).includes("withdraw")
    expect(planned("Active", "manager")).toBe(true)
    expect(planned("Terminated", "manager")).toBe(false)
    expect(planned("Active", "policy_holder")).toBe(false)
  })

  for (const status of memberStatuses) {
    for (const policyStatus of policyStatuses) {
      for (const role of [...roles, null]) {
        test(`lists what ${role} may do with a ${status} member of a ${policyStatus} policy`, () => {
          const writer = role === "admin" || role === "manager" || role === "group_admin"
          const open = policyStatus !== "Terminated" && policyStatus !== "Expired"
          const expected = writer ? writes[status][open ? "open" : "ended"] : []
          const claim = writer && status !== "Pending" ? ["claim"] : []
          expect(allowedMemberActions({ status, policyStatus }, { role })).toEqual([...expected, ...claim])
        })
      }
    }
  }
})

describe("dated cover", () => {
  const cover = (from: string, until: string | null, kind: Cover["kind"] = "covered"): Cover => ({
    tierId: "standard",
    tierName: "Standard",
    kind,
    from,
    until,
  })
  const active: Member = {
    id: "m",
    groupId: "g",
    policyId: "p",
    policyNumber: "GP-2026-000001",
    policyStatus: "Active",
    number: "M-2026-000001",
    status: "Active",
    tierId: "standard",
    tierName: "Standard",
    startOn: "2026-03-01",
    endOn: null,
    statusReason: null,
    toComplete: [],
    covers: [cover("2026-03-01", null)],
    version: 1,
    ...emptyDraft(memberFields),
    ...{ firstName: "Ann", lastName: "Nkosi", idNumber: null, passportNumber: "A1", email: "ann@a.example" },
  }
  const suspended: Member = {
    ...active,
    status: "Suspended",
    covers: [cover("2026-03-01", "2026-05-31"), cover("2026-06-01", null, "suspended")],
  }
  const pending: Member = { ...active, status: "Pending", policyStatus: "Draft", covers: [] }
  const gold = { id: "gold", name: "Gold" }
  const invalid = { refused: "INVALID" }
  const wrongStatus = { refused: "WRONG_STATUS" }

  test.each([
    ["Draft", "2026-01-01", "2026-01-01"],
    ["Draft", "2026-12-01", "2026-12-01"],
    ["Draft", null, "2026-11-20"],
    ["Active", "2026-01-01", "2026-11-20"],
    ["Active", "2026-12-01", "2026-12-01"],
    ["Suspended", "2026-01-01", "2026-11-20"],
  ] as const)("membership in a policy that is %s from %s starts on %s by default", (status, startOn, start) => {
    expect(defaultStart({ status, startOn }, "2026-11-20")).toBe(start)
  })

  test("refuses a suspension that starts on a day without cover", () => {
    expect(suspendMember(active, "2026-03-01", "Unpaid")).toMatchObject({
      value: { version: 2 },
      facts: [{ type: "MemberSuspended", on: "2026-03-01", reason: "Unpaid" }],
    })
    expect(suspendMember(active, "2026-02-28", "")).toMatchObject(invalid)
    // A suspended member may get an earlier suspension.
    expect(suspendMember(suspended, "2026-04-01", "Late")).toMatchObject({ facts: [{ on: "2026-04-01" }] })
    expect(suspendMember({ ...active, status: "Terminated" }, "2026-04-01", "")).toMatchObject(wrongStatus)
    expect(suspendMember({ ...active, covers: suspended.covers }, "2026-06-01", "")).toMatchObject(invalid)
    const until = { ...active, covers: [cover("2026-03-01", "2026-04-30")] }
    expect(suspendMember(until, "2026-05-01", "")).toMatchObject(invalid)
  })

  test("refuses a reinstatement outside a suspension", () => {
    expect(reinstateMember(suspended, "2026-06-01", "Paid")).toMatchObject({ facts: [{ type: "MemberReinstated" }] })
    expect(reinstateMember(suspended, "2026-05-31", "")).toMatchObject(invalid)
    // An active member's other suspension can be ended.
    expect(reinstateMember({ ...suspended, status: "Active" }, "2026-06-02", "Late")).toMatchObject({
      facts: [{ on: "2026-06-02" }],
    })
    expect(reinstateMember(active, "2026-06-01", "")).toMatchObject(invalid)
    expect(reinstateMember(pending, "2026-06-01", "")).toMatchObject(wrongStatus)
  })

  test("the last day of cover may be in the future but not before the start", () => {
    for (const on of ["2026-03-01", "2030-01-01"]) {
      expect(terminateMember(active, on, "Left")).toMatchObject({
        value: { endOn: on, statusReason: "Left" },
        facts: [
          { type: "MemberTerminated", on },
          { type: "MembersRemoved", record: { label: "GP-2026-000001" }, count: 1, names: [{ name: "Ann Nkosi" }] },
        ],
      })
    }
    expect(terminateMember(active, "2026-02-28", "")).toMatchObject(invalid)
    expect(terminateMember(pending, "2026-03-01", "")).toMatchObject(wrongStatus)
    expect(terminateMember({ ...active, status: "Terminated" }, "2026-03-01", "")).toMatchObject(wrongStatus)
  })

  test("membership ends on the day of death unless it ended earlier", () => {
    expect(terminateOnDeath({ ...active, endOn: "2026-07-01" }, "2026-06-30", "Died")).toMatchObject({
      value: { endOn: "2026-06-30" },
    })
    const ended = { ...active, endOn: "2026-06-30" }
    expect(terminateOnDeath(ended, "2026-06-30", "Died")).toEqual({ value: ended, facts: [] })
  })

  test("a member can be removed only from a draft", () => {
    expect(removeMember(pending)).toMatchObject({ facts: [{ type: "MemberRemoved" }, { type: "MembersRemoved" }] })
    expect(removeMember(active)).toMatchObject(wrongStatus)
  })

  test("planned changes exclude the start of cover and can be withdrawn", () => {
    const today = "2026-06-01"
    expect(futureChangesOf({ ...suspended, endOn: null }, today)).toEqual([])
    expect(futureChangesOf({ covers: [cover("2026-07-01", null)], endOn: null }, today)).toEqual([])
    expect(futureChangesOf({ ...active, endOn: today }, today)).toEqual([])
    const { covers } = suspended
    const planned = [...covers, { ...cover("2026-08-01", "2026-12-31"), tierId: "gold" }]
    const plans = [
      { kind: "reinstatement", on: "2026-08-01" },
      { kind: "tier", on: "2026-08-01" },
      { kind: "end", on: "2026-12-31" },
    ]
    expect(withdrawPlans({ ...active, covers: planned, endOn: "2026-12-31" }, "Unchanged", today)).toMatchObject({
      value: { endOn: null, statusReason: null },
      facts: [{ type: "MemberPlansWithdrawn", plans, reason: "Unchanged" }],
    })
    expect(futureChangesOf({ covers, endOn: null }, "2026-05-31")).toEqual([{ kind: "suspension", on: "2026-06-01" }])
    expect(withdrawPlans(active, "", today)).toMatchObject(wrongStatus)
  })

  test("refuses a change to the current tier", () => {
    expect(changeTier(active, gold, "2026-04-01")).toMatchObject({
      facts: [{ type: "MemberTierChanged", before: { tierName: "Standard" }, after: { tierName: "Gold" } }],
    })
    expect(changeTier(active, { id: "standard", name: "Standard" }, "2026-04-01")).toMatchObject(invalid)
    expect(changeTier(pending, gold, "2026-04-01")).toMatchObject(wrongStatus)
  })

  test("tier and start date are editable only for pending members", () => {
    const allocation = { tierId: "gold", tierName: "Gold", startOn: "2026-04-01" }
    expect(editMember(pending, [], { allocation }, "2026-02-01")).toMatchObject({
      value: { tierId: "gold", startOn: "2026-04-01" },
      facts: [{ before: { tierName: "Standard", startOn: "2026-03-01" }, after: { tierName: "Gold" } }],
    })
    for (const startOn of ["2026-03-01", "2026-04-01"]) {
      expect(editMember(active, [], { allocation: { ...allocation, startOn } }, "2026-06-01")).toMatchObject(invalid)
    }
    expect(editMember({ ...active, status: "Terminated" }, [], {}, "2026-06-01")).toMatchObject(wrongStatus)
  })

  test.each([
    ["Draft", null, false, "Pending"],
    ["Active", null, false, "Active"],
    ["Active", null, true, "Suspended"],
    ["Active", "2026-11-02", true, "Terminated"],
    ["Active", "2026-11-03", false, "Active"],
    ["Terminated", "2026-10-31", false, "Terminated"],
  ] as const)("the status in a policy that is %s, ending %s, suspended %s, is %s", (policyStatus, endOn, isSuspended, status) => {
    expect(memberStatusOn({ policyStatus, endOn, suspended: isSuspended }, "2026-11-02")).toBe(status)
  })
})

describe("identity", () => {
  const today = "2026-11-02"
  const person = { idNumber: "8001015009087", passportNumber: null, dateOfBirth: null, gender: null }

  test("an ID number fills in date of birth and gender", () => {
    expect(completeIdentity(person, today, true)).toMatchObject({ dateOfBirth: "1980-01-01", gender: "male" })
  })

  test.each([
    [{ idNumber: "800101500908" }, "idNumber"],
    [{ idNumber: "8001015009086" }, "idNumber"],
    [{ idNumber: "8013015009087" }, "idNumber"],
    [{ dateOfBirth: "1980-01-02" }, "dateOfBirth"],
    [{ gender: "female" as const }, "gender"],
    [{ idNumber: null }, "idNumber"],
  ])("refuses an identity with %o at field %s", (wrong, path) => {
    expect(completeIdentity({ ...person, ...wrong }, today, true)).toMatchObject({
      refused: "INVALID",
      data: { fields: [{ path }] },
    })
  })

  test("a passport number replaces the ID number, and staff lists may omit both", () => {
    const without = { ...person, idNumber: null }
    expect(completeIdentity({ ...without, passportNumber: "A1" }, today, true)).toMatchObject({ passportNumber: "A1" })
    expect(completeIdentity(without, today, false)).toEqual(without)
  })

  test("spaces are removed from numbers, and an empty number is null", () => {
    const typed = { firstName: " Ann ", lastName: "B", passportNumber: " ", dateOfBirth: null, gender: null }
    expect(memberPersonal.parse({ ...typed, idNumber: "800101 5009 087" })).toMatchObject({
      firstName: "Ann",
      idNumber: "8001015009087",
      passportNumber: null,
    })
  })

  test("a masked number shows only its last three characters", () => {
    expect(maskIdNumber("8001015009087")).toBe("••••••••••087")
    expect(maskIdNumber(null)).toBeNull()
  })

  test("`toComplete` lists a member's missing fields", () => {
    const none = { idNumber: null, passportNumber: null, email: "", phone: "", employmentStatus: null }
    expect(missingMemberFields(none)).toEqual(["idNumber", "email", "phone", "employmentStatus"])
    expect(missingMemberFields({ ...none, lastName: "–" })[0]).toBe("lastName")
    expect(
      missingMemberFields({ ...none, passportNumber: "A", email: "a", phone: "1", employmentStatus: "retired" }),
    ).toEqual([])
  })
})

describe("dependents", () => {
  const child = {
    firstName: "Cleo",
    lastName: "Nkosi",
    idNumber: null,
    relationship: "child" as const,
    dateOfBirth: "2005-11-02",
    gender: null,
    fromOn: "2026-01-01",
    untilOn: null,
  }
  const stored = { ...child, id: "11111111-1111-4111-8111-111111111111" }

  test("saving unchanged dependents changes nothing", () => {
    expect(diffDependents([stored], [stored], "2026-11-02")).toEqual({ added: [], changed: [], removed: [] })
  })

  test("a random saved list is split into added, changed and removed dependents", () => {
    const ids = fc.uniqueArray(fc.uuid({ version: 4 }), { maxLength: 6 })
    fc.assert(
      fc.property(ids, fc.array(fc.boolean()), fc.array(fc.boolean()), fc.nat(3), (all, keep, change, fresh) => {
        const before = all.map((id) => ({ ...child, id }))
        const kept = before.filter((_, index) => keep[index])
        const saved = [
          ...kept.map((dependent, index) => (change[index] ? { ...dependent, firstName: "Other" } : dependent)),
          ...Array.from({ length: fresh }, () => child),
        ]
        const diff = diffDependents(before, saved, "2026-11-02")
        expect(diff).toEqual({
          added: Array.from({ length: fresh }, () => child),
          changed: kept.filter((_, index) => change[index]).map((dependent) => ({ ...dependent, firstName: "Other" })),
          removed: before.filter((_, index) => !keep[index]),
        })
      }),
    )
  })

  test("a new dependent's cover has the default start; omitted days stay unchanged", () => {
    const { fromOn: _, untilOn: __, ...undated } = child
    const until = { ...stored, untilOn: "2026-06-30" }
    expect(diffDependents([until], [{ ...undated, id: stored.id }, undated], "2026-11-02")).toEqual({
      added: [{ ...child, fromOn: "2026-11-02" }],
      changed: [],
      removed: [],
    })
    expect(diffDependents([], [{ ...undated, untilOn: "2026-11-01" }], "2026-11-02")).toMatchObject({
      refused: "INVALID",
      data: { fields: [{ path: "dependents.0.untilOn" }] },
    })
  })

  test("an unknown or repeated dependent id is refused", () => {
    expect(diffDependents([], [stored], "2026-11-02")).toMatchObject({
      refused: "INVALID",
      data: { fields: [{ path: "dependents.0" }] },
    })
    expect(diffDependents([stored], [stored, stored], "2026-11-02")).toMatchObject({
      data: { fields: [{ path: "dependents.1" }] },
    })
  })

  test("a wrong ID number is reported with its row", () => {
    expect(checkDependents([child, { ...child, idNumber: "123" }], "2026-11-02")).toMatchObject({
      refused: "INVALID",
      data: { fields: [{ path: "dependents.1.idNumber" }] },
    })
  })

  test("a child is warned about from their 22nd birthday", () => {
    const born = { ...child, dateOfBirth: "2004-11-03" }
    expect(warningsOfDependents([born], "2026-11-02")).toEqual([])
    expect(warningsOfDependents([born], "2026-11-03")).toEqual(["Cleo Nkosi is a child aged 22, over 21"])
    const spouse = { ...child, relationship: "spouse" as const }
    expect(warningsOfDependents([spouse, spouse], "2026-11-03")).toEqual(["2 spouses are on record"])
  })
})

describe("the form", () => {
  test("each step of the member form lists its missing required fields", () => {
    expect(memberSteps.map(({ id }) => missingFieldsInStep(id, emptyMember))).toEqual([
      ["First name", "Last name", "ID number"],
      ["Email"],
      [],
      ["Group policy", "Benefit tier"],
      [],
    ])
    expect(
      missingFieldsInStep("personal", { ...emptyMember, firstName: "A", lastName: "B", passportNumber: "P" }),
    ).toEqual([])
  })
})

describe("bulk text lines", () => {
  test("valid lines are read and the others are refused with a reason", () => {
    const { people, refused } = readBulkAdd(
      "Ann van der Merwe , ann@a.co , Nurse\r\n\r\nBen Botha,ben@a.co,\nCleo,c@a.co,X\nDan Dean,not-mail,X\nE F,ANN@a.co,X\na,b\n=cmd Evil,e@a.co,=1+1",
    )
    expect(people).toMatchObject([
      { line: 1, firstName: "Ann van der", lastName: "Merwe", email: "ann@a.co", position: "Nurse" },
      { line: 3, firstName: "Ben", lastName: "Botha", position: "Employee" },
      // A single word is accepted as the first name.
      { line: 4, firstName: "Cleo", lastName: "–", position: "X" },
      { line: 8, firstName: "=cmd", lastName: "Evil", position: "=1+1" },
    ])
    expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
      [5, "This is not an e-mail address"],
      [6, "The e-mail address is already on line 1"],
      [7, "Enter name, e-mail and position, separated by commas"],
    ])
  })

  test("a removal line is an e-mail address or has one as second field", () => {
    const { emails, refused } = readBulkRemove("ann@a.co\nBen Botha, BEN@a.co, Clerk\nBen Botha\nann@a.co")
    expect(emails.map(({ line, email }) => [line, email])).toEqual([
      [1, "ann@a.co"],
      [2, "ben@a.co"],
    ])
    expect(refused.map(({ line }) => line)).toEqual([3, 4])
  })
})
