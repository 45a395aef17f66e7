import { claimTypes } from "@milkwood/domain/benefits/claim-type"
import { createSampleBenefits } from "../benefits/benefits.samples.ts"
import { createMember } from "../members/members.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { openTestApp, type TestApp, type TestAppOptions } from "../test/app.ts"
import type { ClaimActors, ClaimSample } from "./claims.samples.ts"

export interface ClaimScene {
  groupId: string
  policyId: string
  memberId: string
  secondMemberId: string
  benefitId: string
  people: Record<"hr" | "hr2" | "signatory" | "manager" | "underwriter", UserActor>
  cast: ClaimActors
  sample: ClaimSample
}

export interface ClaimApp extends TestApp {
  benefits: Awaited<ReturnType<typeof createSampleBenefits>>
}

export async function openClaimApp(options?: TestAppOptions): Promise<ClaimApp> {
  const app = await openTestApp(options)
  const admin = app.as(app.people.admin)
  const benefits = await createSampleBenefits(admin)
  const id = benefits.benefits["Hospital benefit"]!
  await admin.benefits.benefits.update({ id, version: 1, name: "Hospital benefit", claimTypes: [...claimTypes] })
  return { ...app, benefits }
}

export async function insureGroup(app: ClaimApp, name: string): Promise<ClaimScene> {
  const manager = app.as(app.people.manager)
  const policy = await manager.policies.create({
    group: { kind: "new", name },
    productTypeId: app.benefits.productTypes["Group Health"]!,
    coverageType: "health",
    startOn: "2026-01-01",
    contactName: "Thandi Nkosi",
    contactEmail: "thandi@example.test",
  })
  const first = await createMember(manager, policy.id, {
    firstName: "Sipho",
    lastName: "Dlamini",
    startOn: "2026-01-01",
  })
  const second = await createMember(manager, policy.id, {
    firstName: "Lerato",
    lastName: "Botha",
    startOn: "2026-01-01",
  })
  const { version } = await manager.policies.detail({ policyId: policy.id })
  await manager.policies.activate({ policyId: policy.id, version })

  const { groupId } = policy
  const people = {
    hr: await app.people.groupAdmin(groupId),
    hr2: await app.people.groupAdmin(groupId),
    signatory: await app.people.policyHolder(groupId),
    manager: app.people.manager,
    underwriter: app.people.underwriter,
  }
  const benefitId = app.benefits.benefits["Hospital benefit"]!
  return {
    groupId,
    policyId: policy.id,
    memberId: first.id,
    secondMemberId: second.id,
    benefitId,
    people,
    cast: {
      captures: app.as(people.hr),
      manager,
      group_admin: app.as(people.hr2),
      underwriter: app.as(people.underwriter),
      policy_holder: app.as(people.signatory),
    },
    sample: { memberId: first.id, benefitId },
  }
}
