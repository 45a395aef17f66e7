import { setImmediate } from "node:timers/promises"
import type { ChildCap } from "@milkwood/domain/benefits/child-cap"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import type { DependentInput } from "@milkwood/domain/members/member-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import {
  approveStage,
  type ClaimSample,
  createApprovedClaim,
  createClaimContent,
  createClaimPendingAt,
  createRoutedClaim,
} from "./claims.samples.ts"
import { lockCover } from "./other-claims.queries.ts"

let app: ClaimApp
beforeAll(async () => {
  app = await openClaimApp({ connections: 6 })
})
afterAll(() => app.close())

type Parent = ClaimScene & { death: ClaimSample }

const manager = () => app.as(app.people.manager)

const neo: DependentInput = {
  ...{ firstName: "Neo", lastName: "Nkosi", idNumber: null, gender: null },
  ...{ relationship: "child", dateOfBirth: "2023-05-10", fromOn: "2026-01-01" },
}

async function insureChild(groupName: string, child: DependentInput): Promise<Parent> {
  const scene = await insureGroup(app, groupName)
  const { memberId } = scene
  const { version } = await manager().members.detail({ memberId })
  const { dependents } = await manager().members.update({ memberId, version, dependents: [child] })
  const death: ClaimSample = {
    ...{ ...scene.sample, dependentId: dependents[0]!.id, claimType: "death", causeOfDeath: "natural" },
    ...{ claimAmountCents: null, requestedAmountCents: 15_000_00 },
  }
  return { ...scene, death }
}

const decisionOf = ({ id: claimId, version }: ClaimDetail, approvedAmountCents: number) => ({
  ...{ claimId, version, idempotencyKey: crypto.randomUUID(), decision: "approve" as const },
  ...{ approvedAmountCents, comment: "Ex gratia", reductionReason: "The cap on a child's life" },
})

async function saveCaps(childCoverCaps: ChildCap[]): Promise<void> {
  const admin = app.as(app.people.admin)
  const { version, settings } = await admin.settings.detail()
  await admin.settings.save({ version, settings: { ...settings, childCoverCaps } })
}

test("policies of two employers together pay at most the cap on the death of a child", async () => {
  const mother = await insureChild("Mother's Mill", { ...neo, idNumber: "2305105000088" })
  const father = await insureChild("Father's Farm", { ...neo, firstName: "Neo T", idNumber: "2305105000088" })
  const first = await createApprovedClaim(mother.cast, mother.death)
  const routed = await createRoutedClaim(father.cast, father.death)
  expect(routed).toMatchObject({
    limitCents: 5_000_00,
    proposedAmountCents: 5_000_00,
    childCap: { leftCents: 5_000_00 },
  })

  const { group_admin, underwriter, policy_holder } = father.cast
  const invalid = { code: "INVALID", data: { fields: [{ path: "approvedAmountCents" }] } }
  await expect(group_admin.claims.decide(decisionOf(routed, 5_000_01))).rejects.toMatchObject(invalid)
  const atUnderwriter = await group_admin.claims.decide(decisionOf(routed, 5_000_00))
  const shown = await policy_holder.claims.detail({ claimId: routed.id })
  expect(shown.childCap!.reason.replaceAll("\u00a0", " ")).toBe(
    "All policies together pay at most R 20 000,00 on the death of a child under 6; less R 15 000,00 approved for this child leaves R 5 000,00.",
  )
  expect(JSON.stringify(shown)).not.toContain(first.number)
  expect(JSON.stringify(shown)).not.toContain("Mother's Mill")
  const atSignatory = await underwriter.claims.decide(decisionOf(atUnderwriter, 5_000_00))
  expect(await policy_holder.claims.decide(decisionOf(atSignatory, 5_000_00))).toMatchObject({ status: "approved" })
})

test("a child without an ID number is recognised by name and date of birth", async () => {
  const child = { ...neo, lastName: "Dube" }
  const mother = await insureChild("Mother's Market", child)
  const father = await insureChild("Father's Foundry", { ...child, firstName: "NEO" })
  const cousin = await insureChild("Cousin's Corner", { ...child, dateOfBirth: "2023-05-11" })
  await createApprovedClaim(mother.cast, mother.death)
  expect((await createRoutedClaim(father.cast, father.death)).childCap!.leftCents).toBe(5_000_00)
  expect((await createRoutedClaim(cousin.cast, cousin.death)).childCap!.leftCents).toBe(20_000_00)
})

test("of two last approvals at once, the second leaves the cap unexceeded", async () => {
  const child = { ...neo, lastName: "Pillay" }
  const parents = [await insureChild("Mother's Mine", child), await insureChild("Father's Forge", child)]
  const claims: ClaimDetail[] = []
  for (const { cast, death } of parents) claims.push(await createClaimPendingAt(cast, "policy_holder", death))
  const { decisions } = await app.transaction(app.people.manager, async ({ tx }) => {
    await lockCover(tx, createClaimContent(parents[0]!.death))
    const decisions = Promise.allSettled(
      claims.map((claim, at) => parents[at]!.cast.policy_holder.claims.decide(decisionOf(claim, 15_000_00))),
    )
    const waiting = sql`select count(*)::int as calls from pg_locks where locktype = 'advisory' and not granted`
    while ((await app.sql.row<{ calls: number }>(waiting))!.calls < 2) await setImmediate()
    return { decisions }
  })
  const decided = await decisions
  expect(decided.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
  const refused = decided.findIndex(({ status }) => status === "rejected")
  await expect(approveStage(parents[refused]!.cast, claims[refused]!, 5_000_00)).resolves.toMatchObject({
    status: "approved",
  })
})

test("a cap that changes from a day applies to deaths from that day, and limits what the member page shows", async () => {
  const { cast, death, memberId } = await insureChild("Change Chandlers", { ...neo, lastName: "Change" })
  const before = (await app.as(app.people.admin).settings.detail()).settings.childCoverCaps
  await saveCaps([...before, { belowAge: 6, amountCents: 12_000_00, from: "2026-10-15" }])
  try {
    const capOf = async (incidentOn: string) =>
      (await createRoutedClaim(cast, { ...death, incidentOn, claimAmountCents: 90_000_00, requestedAmountCents: 1_00 }))
        .limitCents
    expect(await capOf("2026-10-14")).toBe(20_000_00)
    expect(await capOf("2026-10-20")).toBe(12_000_00 - 1_00)
    const shownOn = async (on: string) => {
      const { persons } = await manager().members.coverage({ memberId, on })
      return persons.map(
        ({ benefits }) => benefits.find(({ benefitId }) => benefitId === death.benefitId)?.childCapCents,
      )
    }
    expect(await shownOn("2026-10-14")).toEqual([null, 20_000_00])
    expect(await shownOn("2026-10-20")).toEqual([null, 12_000_00])
  } finally {
    await saveCaps(before)
  }
})
