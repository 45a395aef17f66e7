import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { insurerBenefits } from "../benefits/benefits.samples.ts"
import { activePolicy, type SamplePolicy } from "../policies/policies.samples.ts"
import { type HouseOptions, openHouse, type TestHouse } from "../test/house.ts"

export interface BillingHouse extends TestHouse {
  manager: ReturnType<TestHouse["as"]>
  /** An active policy of a health product, with VAT at 15 %, in a group of its own unless one is named. */
  policy(sample?: SamplePolicy): Promise<PolicyDetail>
}

/** A house with an insurer's benefits in it, on 2 November 2026. */
export async function openBillingHouse(options?: HouseOptions): Promise<BillingHouse> {
  const house = await openHouse(options)
  const manager = house.as(house.people.manager)
  const { productTypes } = await insurerBenefits(house.as(house.people.admin))
  let groups = 0
  return {
    ...house,
    manager,
    policy: (sample = {}) =>
      activePolicy(manager, {
        productTypeId: productTypes["Group Health"]!,
        groupName: `Employer ${++groups}`,
        premiumCents: 350_00,
        ...sample,
      }),
  }
}
