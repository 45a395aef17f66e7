import { cents } from "../kernel/money-shape.ts"
import { setting } from "../kernel/setting.ts"

export const policiesSettings = {
  /** the monthly premium per member that a new policy starts with, in cents */
  defaultMemberPremiumCents: setting(cents.min(0, "A premium is not negative").max(100_000_000), 350_00),
}
