import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import {
  createApprovedClaim,
  createClaimPendingAt,
  createDraftClaim,
  createRejectedClaim,
  createRoutedClaim,
  createSubmittedClaim,
} from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let claimsByName: Record<"draft" | "old" | "death" | "large" | "routed" | "approved" | "rejected", ClaimDetail>

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Stellen_bosch Wines")
  const { cast, sample } = scene
  const second = { ...sample, memberId: scene.secondMemberId }
  app.clock.set("2026-10-24T22:30:00Z")
  const old = await createSubmittedClaim(cast, { ...second, requestedAmountCents: 1_000_00 })
  app.clock.set("2026-11-02T08:00:00Z")
  claimsByName = {
    old,
    draft: await createDraftClaim(cast, { ...sample, requestedAmountCents: 10_00 }),
    death: await createSubmittedClaim(cast, { ...sample, claimType: "death", requestedAmountCents: 20_00 }),
    large: await createSubmittedClaim(cast, { ...sample, requestedAmountCents: 100_000_00 }),
    routed: await createRoutedClaim(cast, { ...sample, requestedAmountCents: 30_00 }),
    approved: await createApprovedClaim(cast, { ...sample, requestedAmountCents: 40_00 }),
    rejected: await createRejectedClaim(cast, { ...sample, requestedAmountCents: 50_00 }),
  }
})
afterAll(() => app.close())

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
const manager = () => app.as(scene.people.manager)

describe("the claim list", () => {
  test("filters by tab, with counts and the total of the matches", async () => {
    const pending = await manager().claims.list({ tab: "pending" })
    expect(new Set(idsOf(pending.rows))).toEqual(
      new Set([claimsByName.old.id, claimsByName.death.id, claimsByName.large.id, claimsByName.routed.id]),
    )
    expect(pending).toMatchObject({
      total: 4,
      counts: { all: 7, pending: 4, approved: 1, rejected: 1 },
      summary: { all: 7, pending: 4, approved: 1 },
      sums: { requestedAmountCents: 1_000_00 + 20_00 + 100_000_00 + 30_00 },
      totalValueCents: 1_000_00 + 20_00 + 100_000_00 + 30_00 + 40_00 + 50_00,
    })
    expect(idsOf((await manager().claims.list({ tab: "approved" })).rows)).toEqual([claimsByName.approved.id])
    expect(idsOf((await manager().claims.list({ tab: "rejected" })).rows)).toEqual([claimsByName.rejected.id])
  })

  test("filters by one status of the tab; a status of another tab matches no claim", async () => {
    const approved = await manager().claims.list({ tab: "approved", status: "approved" })
    expect(idsOf(approved.rows)).toEqual([claimsByName.approved.id])
    expect(approved.total).toBe(1)
    for (const status of ["paid", "rejected"] as const) {
      expect(await manager().claims.list({ tab: "approved", status })).toMatchObject({ rows: [], total: 0 })
    }
  })

  test("each tab shows its count under the same filters, whichever tab is open", async () => {
    const chosen = await manager().claims.list({ status: "submitted" })
    expect(chosen).toMatchObject({
      counts: { all: 3, pending: 3, approved: 0, rejected: 0 },
      summary: { all: 7, pending: 4, approved: 1 },
    })
    for (const filters of [{ status: "submitted" }, { status: "approved", search: "dlamini" }, {}] as const) {
      const { counts } = await manager().claims.list(filters)
      for (const tab of ["all", "pending", "approved", "rejected"] as const) {
        expect(await manager().claims.list({ ...filters, tab })).toMatchObject({ total: counts[tab], counts })
      }
    }
  })

  test("searches number, member and group by part, ignoring case", async () => {
    const found = async (search: string) => idsOf((await manager().claims.list({ search })).rows)
    expect(await found(claimsByName.large.number)).toEqual([claimsByName.large.id])
    expect(await found(claimsByName.large.number.slice(0, 9).toLowerCase())).toHaveLength(7)
    expect(await found("DLAMINI")).toHaveLength(6)
    expect(await found("sipho dlam")).toHaveLength(6)
    expect(await found(claimsByName.old.member.lastName)).toContain(claimsByName.old.id)
    expect(await found("stellen_bosch")).toHaveLength(7)
    expect(await found("no such claim")).toEqual([])
  })

  test("treats a wildcard as a plain character", async () => {
    expect((await manager().claims.list({ search: "%" })).total).toBe(0)
    expect((await manager().claims.list({ search: "stellenXbosch" })).total).toBe(0)
    expect((await manager().claims.list({ search: "\\" })).total).toBe(0)
  })

  test("sorts and pages in the database; every row is on exactly one page", async () => {
    const { rows } = await manager().claims.list({ sort: "requestedAmount", dir: "asc" })
    expect(rows.map((row) => row.requestedAmountCents)).toEqual([
      10_00, 20_00, 30_00, 40_00, 50_00, 1_000_00, 100_000_00,
    ])
    for (const sort of ["number", "member", "group", "incidentOn", "status", "submittedAt", "decidedAt"] as const) {
      const asc = await manager().claims.list({ sort, dir: "asc" })
      expect(new Set(idsOf(asc.rows)).size).toBe(7)
    }
    expect((await manager().claims.list({ page: 2 })).rows).toEqual([])
    await expect(manager().claims.list({ sort: "diagnosis" as never })).rejects.toMatchObject({ code: "INVALID" })
  })

  test("filters by member or policy", async () => {
    expect(idsOf((await manager().claims.list({ memberId: scene.secondMemberId })).rows)).toEqual([claimsByName.old.id])
    expect((await manager().claims.list({ policyId: scene.policyId })).total).toBe(7)
  })

  test("filters by days of submission and decision, both ends inclusive", async () => {
    const found = async (input: object) => new Set(idsOf((await manager().claims.list(input)).rows))
    const { old, approved, rejected, death, large, routed } = claimsByName
    expect(await found({ submittedFrom: "2026-10-25", submittedTo: "2026-10-25" })).toEqual(new Set([old.id]))
    expect(await found({ submittedTo: "2026-10-24" })).toEqual(new Set())
    expect(await found({ submittedFrom: "2026-10-26" })).toEqual(
      new Set([approved, rejected, death, large, routed].map(({ id }) => id)),
    )
    expect(await found({ decidedFrom: "2026-11-02", decidedTo: "2026-11-02" })).toEqual(
      new Set([approved.id, rejected.id]),
    )
    expect(await found({ decidedTo: "2026-11-01" })).toEqual(new Set())
    const { rows } = await manager().claims.list({ sort: "decidedAt", dir: "desc" })
    expect(rows.map(({ decidedAt }) => decidedAt !== null)).toEqual([true, true, ...Array(5).fill(false)])
    expect(new Set(idsOf(rows.slice(0, 2)))).toEqual(new Set([approved.id, rejected.id]))
  })

  test("each row has the actions that the reader may take", async () => {
    const rowOf = async (client: ReturnType<typeof manager>, id: string) =>
      (await client.claims.list({})).rows.find((row) => row.id === id)?.allowedActions
    expect(await rowOf(manager(), claimsByName.draft.id)).toEqual(["edit", "changeDocuments", "submit", "withdraw"])
    expect(await rowOf(app.as(scene.people.hr2), claimsByName.routed.id)).toEqual(["approve", "decline"])
    expect(await rowOf(app.as(scene.people.hr), claimsByName.routed.id)).toEqual([])
    expect(await rowOf(manager(), claimsByName.approved.id)).toEqual(["pay", "withdrawApproval"])
  })
})

describe("the pending list", () => {
  test("sorts the most urgent first, by the rules of claim-priority", async () => {
    const { rows, summary } = await manager().claims.pending({})
    expect(
      rows.map(({ id, priority, waitingDays, state, assignedTo }) => ({
        id,
        priority,
        waitingDays,
        state,
        assignedTo,
      })),
    ).toEqual([
      {
        id: claimsByName.old.id,
        priority: "Urgent",
        waitingDays: 8,
        state: "Pending Review",
        assignedTo: "Unassigned",
      },
      {
        id: claimsByName.death.id,
        priority: "Urgent",
        waitingDays: 0,
        state: "Pending Review",
        assignedTo: "Unassigned",
      },
      {
        id: claimsByName.large.id,
        priority: "High",
        waitingDays: 0,
        state: "Pending Review",
        assignedTo: "Unassigned",
      },
      {
        id: claimsByName.routed.id,
        priority: "Medium",
        waitingDays: 0,
        state: "Under Assessment",
        assignedTo: "Group administrator",
      },
    ])
    expect(summary).toEqual({ pending: 4, urgent: 2, documentationRequired: 0, overdue: 1, forMe: 0 })
  })

  test("filters by status, assessment, urgency, waiting days and pending for me", async () => {
    expect(idsOf((await manager().claims.pending({ urgent: true })).rows)).toEqual([
      claimsByName.old.id,
      claimsByName.death.id,
    ])
    expect(idsOf((await manager().claims.pending({ overdue: true })).rows)).toEqual([claimsByName.old.id])
    expect(idsOf((await manager().claims.pending({ state: "Under Assessment" })).rows)).toEqual([
      claimsByName.routed.id,
    ])
    const pendingAt = { status: "pending_group_admin" } as const
    expect(idsOf((await manager().claims.pending(pendingAt)).rows)).toEqual([claimsByName.routed.id])
    expect(idsOf((await manager().claims.pending({ search: "death" })).rows)).toEqual([claimsByName.death.id])
    const { rows } = await app.as(scene.people.hr2).claims.pending({ forMe: true })
    expect(rows).toMatchObject([{ id: claimsByName.routed.id, waitsForMe: true }])
    expect((await app.as(scene.people.hr).claims.pending({ forMe: true })).rows).toEqual([])
  })

  test('the SQL filter "pending for me" agrees with the domain rule', async () => {
    const { hr, hr2, signatory, underwriter, manager: max } = scene.people
    for (const actor of [hr, hr2, signatory, underwriter, max]) {
      const { rows, summary } = await app.as(actor).claims.pending({})
      expect(rows.filter((row) => row.waitsForMe)).toHaveLength(summary?.forMe ?? -1)
    }
  })

  test("searches name, claim number and type", async () => {
    const found = async (search: string) => idsOf((await manager().claims.pending({ search })).rows)
    expect(await found("botha lerato")).toEqual([claimsByName.old.id])
    expect(await found(claimsByName.routed.number)).toEqual([claimsByName.routed.id])
    expect(await found("death")).toEqual([claimsByName.death.id])
  })

  test("the next claim pending for me excludes the open one", async () => {
    const second = await createClaimPendingAt(scene.cast, "underwriter", { ...scene.sample, claimType: "death" })
    const third = await createClaimPendingAt(scene.cast, "underwriter", scene.sample)
    const underwriter = app.as(scene.people.underwriter)
    expect(await underwriter.claims.nextForMe({})).toEqual({
      next: { id: second.id, number: second.number },
      waiting: 2,
    })
    expect(await underwriter.claims.nextForMe({ except: second.id })).toMatchObject({ next: { id: third.id } })
    expect(await manager().claims.nextForMe({})).toEqual({ next: null, waiting: 0 })
  })
})

describe("searching a claim by the member's number and ID number", () => {
  const numbers = async (memberId: string) => {
    const { number, personal } = await manager().members.detail({ memberId })
    return { number, idNumber: personal.idNumber! }
  }
  const found = async (client: ReturnType<typeof manager>, search: string) => ({
    list: new Set(idsOf((await client.claims.list({ search })).rows)),
    pending: new Set(idsOf((await client.claims.pending({ search })).rows)),
    everywhere: new Set(idsOf((await client.reports.search({ text: search })).filter(({ kind }) => kind === "claim"))),
  })
  const all = (...claims: ClaimDetail[]) => new Set(idsOf(claims))

  test("finds it in the list, the pending list and global search", async () => {
    const second = await numbers(scene.secondMemberId)
    const only = { list: all(claimsByName.old), pending: all(claimsByName.old), everywhere: all(claimsByName.old) }
    const grouped = second.idNumber.replace(/^(.{6})(.{4})(.{2})(.)$/, "$1 $2 $3 $4")
    for (const search of [second.number, second.number.toLowerCase(), second.idNumber, grouped]) {
      expect(await found(manager(), search), search).toEqual(only)
    }
    const { idNumber } = await numbers(scene.memberId)
    const waiting = await app.sql.rows<{ id: string }>(sql`
      select id from claims where member_id = ${scene.memberId} and (status = 'submitted' or status like 'pending_%')`)
    const { pending } = await found(manager(), idNumber)
    expect(pending).toEqual(new Set(idsOf(waiting)))
    for (const waits of [claimsByName.death, claimsByName.large, claimsByName.routed])
      expect(pending).toContain(waits.id)
  })

  test("finds only the employer's claims, and not by ID number for a policy holder", async () => {
    const { number, idNumber } = await numbers(scene.secondMemberId)
    const [only, none] = [all(claimsByName.old), all()]
    for (const search of [number, idNumber]) {
      expect((await found(app.as(scene.people.hr2), search)).pending, search).toEqual(only)
    }
    const holder = app.as(scene.people.signatory)
    expect(await found(holder, number)).toEqual({ list: only, pending: only, everywhere: only })
    expect(await found(holder, idNumber)).toEqual({ list: none, pending: none, everywhere: none })
    const { people } = await insureGroup(app, "Paarl Pears")
    expect(await found(app.as(people.hr), number)).toEqual({ list: none, pending: none, everywhere: none })
  })

  test("finds it while it waits for payment", async () => {
    for (const search of Object.values(await numbers(scene.memberId))) {
      const { rows } = await manager().payouts.list({ paidFor: "claims", search })
      expect(rows.map(({ subject }) => subject.id)).toContain(claimsByName.approved.id)
      expect(idsOf(await manager().claims.payable({ search }))).toContain(claimsByName.approved.id)
    }
    const { idNumber } = await numbers(scene.secondMemberId)
    expect((await manager().payouts.list({ paidFor: "claims", search: idNumber })).total).toBe(0)
    expect(await manager().claims.payable({ search: idNumber })).toEqual([])
  })
})
