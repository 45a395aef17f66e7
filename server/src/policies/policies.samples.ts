import type { contract } from "@milkwood/domain/contract"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { EndRule } from "@milkwood/domain/policies/end-rule"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import type { ContractRouterClient } from "@orpc/contract"
import { createSampleBenefits } from "../benefits/benefits.samples.ts"
import { createMember } from "../members/members.samples.ts"

type Client = Pick<ContractRouterClient<typeof contract>, "benefits" | "employers" | "policies" | "members">

export interface SamplePolicy {
  /** Default: "Acacia Foods". An existing group of this name is used. */
  groupName?: string
  /** Default: the product type "Group Life", created if missing. */
  productTypeId?: string
  /** Default: 2026-01-01. */
  startOn?: Day
  endOn?: Day | null
  /** In cents; default: the setting. */
  premiumCents?: number
  waitingPeriodMonths?: number
  /** Default: the start month. */
  billedFromOn?: Day | null
  /** Default: whole month. */
  endRule?: EndRule
  /** Default: 30. */
  dueDays?: number
  contactEmail?: string
  /** Members at activation; default: 1. */
  members?: number
}

/** A draft that is complete except for members; the client needs `policies.write`. */
export async function createDraftPolicy(client: Client, sample: SamplePolicy = {}): Promise<PolicyDetail> {
  const groupName = sample.groupName ?? "Acacia Foods"
  const { groupName: _, members: __, ...terms } = sample
  const group = (await client.employers.groups({ search: groupName })).find(({ name }) => name === groupName)
  return client.policies.create({
    group: group ? { kind: "existing", groupId: group.id } : { kind: "new", name: groupName },
    description: `Staff scheme of ${groupName}`,
    productTypeId: sample.productTypeId ?? (await createGroupLifeType(client)),
    startOn: "2026-01-01",
    coverageType: "life",
    sumAssuredCents: 1_000_000_00,
    contactName: "Thandi Mokoena",
    contactEmail: "hr@acacia.example",
    contactPhone: "0215550100",
    contactPosition: "HR manager",
    ...terms,
  })
}

export async function createActivePolicy(client: Client, sample: SamplePolicy = {}): Promise<PolicyDetail> {
  const draft = await createDraftPolicy(client, sample)
  const startOn = draft.information.startOn!
  for (let place = 0; place < (sample.members ?? 1); place++) await createMember(client, draft.id, { startOn })
  return client.policies.activate({ policyId: draft.id, version: draft.version })
}

async function createGroupLifeType(client: Client): Promise<string> {
  const { productTypes } = await client.benefits.choices()
  const there = productTypes.find(({ name }) => name === "Group Life")
  return there ? there.id : (await createSampleBenefits(client)).productTypes["Group Life"]!
}
