import { z } from "zod"
import { setting } from "../kernel/setting.ts"
import { templateSetting } from "../platform/mail-template-shape.ts"
import { invoiceTemplate } from "./invoice-mail.ts"
import { defaultGraceDays } from "./premium-standing.ts"

export const billingSettings = {
  /** days of cover after an unpaid due date */
  premiumGraceDays: setting(
    z.int("Enter a number of days").min(0, "At least 0 days").max(92, "At most 92 days"),
    defaultGraceDays,
    {
      kind: "number",
      label: "Grace period",
      help: "Days that cover continues after the due date of an unpaid premium",
      unit: "a number of days",
    },
  ),
  /** the covering mail of an invoice */
  invoiceMail: templateSetting(invoiceTemplate),
}
