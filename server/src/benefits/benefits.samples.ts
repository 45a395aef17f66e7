import type { DependentCover } from "@milkwood/domain/benefits/benefit-terms"
import type { contract } from "@milkwood/domain/contract"
import type { ContractRouterClient } from "@orpc/contract"

type Client = Pick<ContractRouterClient<typeof contract>, "benefits">

export interface SampleBenefits {
  productTypes: Record<string, string>
  benefits: Record<string, string>
  tiers: Record<string, string>
}

const productTypes = [
  {
    name: "Group Life",
    description: "Death and disability cover for employees",
    vatRates: [{ from: null, percent: 0 }],
  },
  { name: "Group Health", description: "Hospital and maternity cover", vatRates: [{ from: null, percent: 15 }] },
]

/** Cover of the Standard tier in cents; Silver has twice, Gold three times, Platinum four times as much. */
const benefits = [
  {
    name: "Death benefit",
    of: "Group Life",
    claimTypes: ["death"],
    coverAmountCents: 250_000_00,
    costCents: 95_00,
    coverPercentage: 100,
  },
  {
    name: "Disability benefit",
    of: "Group Life",
    claimTypes: ["disability"],
    coverAmountCents: 150_000_00,
    costCents: 60_00,
    coverPercentage: 75,
  },
  {
    name: "Funeral benefit",
    of: "Group Life",
    claimTypes: ["death", "other"],
    coverAmountCents: 25_000_00,
    costCents: 35_00,
    coverPercentage: 100,
  },
  {
    name: "Hospital benefit",
    of: "Group Health",
    claimTypes: ["medical"],
    coverAmountCents: 80_000_00,
    costCents: 180_00,
    coverPercentage: 80,
  },
  {
    name: "Maternity benefit",
    of: "Group Health",
    claimTypes: ["maternity"],
    coverAmountCents: 30_000_00,
    costCents: 70_00,
    coverPercentage: 90,
  },
] as const

type DependentsOf = (benefit: string, coverAmountCents: number) => DependentCover[] | null

/** `dependentsOf`: cover of dependents; by default every dependent has the member's. */
export async function createSampleBenefits(
  client: Client,
  dependentsOf: DependentsOf = () => null,
): Promise<SampleBenefits> {
  const { tiers } = await client.benefits.choices()
  const made: SampleBenefits = {
    productTypes: {},
    benefits: {},
    tiers: Object.fromEntries(tiers.map(({ id, name }) => [name, id])),
  }
  for (const productType of productTypes) {
    made.productTypes[productType.name] = (await client.benefits.productTypes.create(productType)).id
  }
  for (const { of, name, claimTypes, coverAmountCents, costCents, coverPercentage } of benefits) {
    const benefitId = (await client.benefits.benefits.create({ name, claimTypes: [...claimTypes] })).id
    made.benefits[name] = benefitId
    for (const [place, tier] of tiers.entries()) {
      await client.benefits.productBenefits.create({
        productTypeId: made.productTypes[of]!,
        benefitId,
        tierId: tier.id,
        costCents: costCents * (place + 1),
        coverAmountCents: coverAmountCents * (place + 1),
        coverPercentage,
        dependents: dependentsOf(name, coverAmountCents * (place + 1)),
      })
    }
  }
  return made
}
