import { z } from "zod"
import { cents } from "../kernel/money-shape.ts"
import { setting } from "../kernel/setting.ts"

export const receiptsSettings = {
  /** up to this amount, in cents, one person may write off alone; 0 means never */
  writeOffLimitCents: setting(cents.min(0, "A limit is not negative").max(100_000_000_000), 0, {
    kind: "money",
    label: "Write-off limit",
    help: "Up to this amount, one person may write off alone",
  }),
  /** a policy's credit is used for an invoice that is sent, unless whoever sends it says otherwise; off, it is offered */
  creditByItself: setting(z.boolean(), false, {
    kind: "switch",
    label: "Use credit for new invoices",
    help: "When an invoice is sent, the policy's credit pays it, the oldest receipt first. Off: it is offered when the invoice is sent",
  }),
}
