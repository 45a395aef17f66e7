import { insurerBenefits } from "../benefits/benefits.samples.ts"
import { memberOf } from "../members/members.samples.ts"
import type { UserActor } from "../platform/actor.ts"
import { openHouse, type TestHouse } from "../test/house.ts"
import type { ClaimCast, ClaimSample } from "./claims.samples.ts"

/** One employer group with an active policy, an insured member, and the five people that a claim takes. */
export interface ClaimScene {
  groupId: string
  policyId: string
  memberId: string
  /** Another member of the same policy. */
  secondMemberId: string
  benefitId: string
  people: Record<"hr" | "hr2" | "signatory" | "manager" | "underwriter", UserActor>
  cast: ClaimCast
  /** A complete claim of the member, asking for less than the maximum cover of R 80 000. */
  sample: ClaimSample
}

export interface ClaimHouse extends TestHouse {
  benefits: Awaited<ReturnType<typeof insurerBenefits>>
}

/** A house with an insurer's benefits in it, on 2 November 2026. */
export async function openClaimHouse(): Promise<ClaimHouse> {
  const house = await openHouse()
  return { ...house, benefits: await insurerBenefits(house.as(house.people.admin)) }
}

/** Insures a new group by the real commands: a policy from 1 January 2026 with two members. */
export async function insureGroup(house: ClaimHouse, name: string): Promise<ClaimScene> {
  const manager = house.as(house.people.manager)
  const policy = await manager.policies.create({
    group: { kind: "new", name },
    productTypeId: house.benefits.productTypes["Group Health"]!,
    coverageType: "health",
    startOn: "2026-01-01",
    contactName: "Thandi Nkosi",
    contactEmail: "thandi@example.test",
  })
  const first = await memberOf(manager, policy.id, { firstName: "Sipho", lastName: "Dlamini", startOn: "2026-01-01" })
  const second = await memberOf(manager, policy.id, { firstName: "Lerato", lastName: "Botha", startOn: "2026-01-01" })
  const { version } = await manager.policies.detail({ policyId: policy.id })
  await manager.policies.activate({ policyId: policy.id, version })

  const { groupId } = policy
  const people = {
    hr: await house.people.groupAdmin(groupId),
    hr2: await house.people.groupAdmin(groupId),
    signatory: await house.people.policyHolder(groupId),
    manager: house.people.manager,
    underwriter: house.people.underwriter,
  }
  const benefitId = house.benefits.benefits["Hospital benefit"]!
  return {
    groupId,
    policyId: policy.id,
    memberId: first.id,
    secondMemberId: second.id,
    benefitId,
    people,
    cast: {
      captures: house.as(people.hr),
      manager,
      group_admin: house.as(people.hr2),
      underwriter: house.as(people.underwriter),
      policy_holder: house.as(people.signatory),
    },
    sample: { memberId: first.id, benefitId },
  }
}
