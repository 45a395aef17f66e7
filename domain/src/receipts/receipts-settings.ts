import { z } from "zod"
import { cents } from "../kernel/money-shape.ts"
import { setting } from "../kernel/setting.ts"

export const receiptsSettings = {
  /** One person may write off up to this many cents; 0 means never. */
  writeOffLimitCents: setting(cents.min(0, "A limit is not negative").max(100_000_000_000), 0, {
    kind: "money",
    label: "Write-off limit",
    help: "Up to this amount, one person may write off alone",
  }),
  /** Whether credit pays invoices on sending by default; if off, the sender is asked. */
  autoCredit: setting(z.boolean(), false, {
    kind: "switch",
    label: "Use credit for new invoices",
    help: "When an invoice is sent, the policy's credit pays it, the oldest receipt first. Off: it is offered when the invoice is sent",
  }),
}
