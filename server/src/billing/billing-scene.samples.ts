import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { createSampleBenefits } from "../benefits/benefits.samples.ts"
import { createActivePolicy, type SamplePolicy } from "../policies/policies.samples.ts"
import { openTestApp, type TestApp, type TestAppOptions } from "../test/app.ts"

export interface BillingApp extends TestApp {
  manager: ReturnType<TestApp["as"]>
  /** A health policy with 15 % VAT, by default for a new employer. */
  policy(sample?: SamplePolicy): Promise<PolicyDetail>
}

/** Has benefits; the clock is at 2 November 2026. */
export async function openBillingApp(options?: TestAppOptions): Promise<BillingApp> {
  const app = await openTestApp(options)
  const manager = app.as(app.people.manager)
  const { productTypes } = await createSampleBenefits(app.as(app.people.admin))
  let groups = 0
  return {
    ...app,
    manager,
    policy: (sample = {}) =>
      createActivePolicy(manager, {
        productTypeId: productTypes["Group Health"]!,
        groupName: `Employer ${++groups}`,
        premiumCents: 350_00,
        ...sample,
      }),
  }
}
