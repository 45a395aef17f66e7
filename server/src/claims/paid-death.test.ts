import { afterAll, beforeAll, expect, test } from "vitest"
import { createPremiumRun, createSentInvoice } from "../billing/billing.samples.ts"
import { createCompletedPayout } from "../payouts/payouts.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createApprovedClaim } from "./claims.samples.ts"
import { payDeath } from "./payees.samples.ts"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
})
afterAll(() => app.close())

const managerClient = () => app.as(app.people.manager)
const readMember = () => managerClient().members.detail({ memberId: scene.memberId })
async function payClaimOf(claimType: "death" | "medical", incidentOn = "2026-10-20") {
  scene = await insureGroup(app, `Employer ${crypto.randomUUID()}`)
  const claim = await createApprovedClaim(scene.cast, { ...scene.sample, claimType, incidentOn })
  return async () => {
    const second = app.as({ ...app.people.manager, userId: app.people.admin.userId, role: "admin" })
    await (claimType === "death" ? payDeath : createCompletedPayout)(managerClient(), second, claim.id, "2026-11-02")
    return claim
  }
}
const billMonth = async (month: string) => {
  const { lines } = await managerClient().billing.fillLines({
    policyId: scene.policyId,
    month,
    invoiceOn: "2026-11-02",
  })
  return lines.map(({ memberId }) => memberId)
}

test("a paid death claim ends the member's cover on the day of death", async () => {
  const pay = await payClaimOf("death")
  expect(await billMonth("2026-12-01")).toContain(scene.memberId)
  const claim = await pay()
  expect(await readMember()).toMatchObject({
    status: "Terminated",
    endOn: "2026-10-20",
    endReason: `Died; claim ${claim.number} was paid`,
    covers: [{ from: "2026-01-01", until: "2026-10-20" }],
  })
  expect(await billMonth("2026-12-01")).toEqual([scene.secondMemberId])
  const [last] = await managerClient().members.activity({ memberId: scene.memberId })
  expect(last).toMatchObject({ fact: "MemberTerminated", sentence: "ended the membership as of 2026-10-20" })
  // Cover still includes the day of death, so the claim's own check passes.
  const { coverCheck } = await managerClient().claims.detail({ claimId: claim.id })
  expect(coverCheck.find(({ check }) => check === "member")?.result).toBe("pass")
})

test("another kind of paid claim does not end cover", async () => {
  const pay = await payClaimOf("medical")
  await pay()
  expect(await readMember()).toMatchObject({ status: "Active", endOn: null })
})

test("a member who had already left is unchanged", async () => {
  const pay = await payClaimOf("death", "2026-10-20")
  const { version } = await readMember()
  await managerClient().members.terminate({ memberId: scene.memberId, version, on: "2026-10-15", reason: "Resigned" })
  await pay()
  expect(await readMember()).toMatchObject({ endOn: "2026-10-15", endReason: "Resigned" })
})

test("the day of death replaces a later leaving date", async () => {
  const pay = await payClaimOf("death", "2026-10-20")
  const { version } = await readMember()
  await managerClient().members.terminate({ memberId: scene.memberId, version, on: "2026-12-31", reason: "Resigned" })
  await pay()
  expect(await readMember()).toMatchObject({ status: "Terminated", endOn: "2026-10-20" })
})

test("months billed after the death are listed until a premium run credits them", async () => {
  const pay = await payClaimOf("death")
  const { number } = await createSentInvoice(managerClient(), {
    policyId: scene.policyId,
    month: "2026-11-01",
    invoiceOn: "2026-11-01",
  })
  const after = () => managerClient().billing.billedAfterEnd({ memberId: scene.memberId })
  expect(await after()).toEqual([])
  await pay()
  expect(await after()).toMatchObject([{ number, month: "2026-11-01", billedCents: 350_00 }])
  const { runJobs } = app
  await createPremiumRun({ manager: managerClient(), runJobs }, "2026-12-01", [scene.policyId])
  expect(await after()).toEqual([])
})

test("adding a deceased person again shows a warning with the day and the reason", async () => {
  const pay = await payClaimOf("death")
  const claim = await pay()
  const { idNumber } = (await readMember()).personal
  const [same] = await managerClient().members.sameIdentity({ idNumber: idNumber!, policyId: scene.policyId })
  expect(same).toMatchObject({
    memberId: scene.memberId,
    inThisPolicy: true,
    ended: { on: "2026-10-20", reason: `Died; claim ${claim.number} was paid` },
  })
})
