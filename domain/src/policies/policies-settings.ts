import { z } from "zod"
import { cents } from "../kernel/money-shape.ts"
import { setting } from "../kernel/setting.ts"
import { templateSetting } from "../platform/mail-template-shape.ts"
import { expiryTemplate } from "./expiry-mail.ts"

export const policiesSettings = {
  /** Default monthly premium per member of a new policy, in cents. */
  defaultMemberPremiumCents: setting(cents.min(0, "The premium cannot be negative").max(100_000_000), 350_00, {
    kind: "money",
    label: "Default member premium",
    help: "Per member per month; the default for new policies",
  }),
  /** Notifies a policy's contact and the responsible users before the policy's end. */
  policyExpiryWarnings: setting(z.boolean(), true, {
    kind: "switch",
    label: "Policy expiry warnings",
    help: "Emailed once to the contact of a policy that is ending; managers and the employer's users are notified",
  }),
  policyExpiryDays: setting(z.int("Enter a number of days").min(1, "At least 1 day").max(180, "At most 180 days"), 30, {
    kind: "number",
    label: "Days before the end date",
    help: "1 to 180; a warning missed on its day is sent later",
    unit: "a number of days",
  }),
  policyExpiryMail: templateSetting(expiryTemplate),
}
