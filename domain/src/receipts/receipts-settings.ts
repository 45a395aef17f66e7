import { z } from "zod"
import { cents } from "../kernel/money-shape.ts"
import { setting } from "../kernel/setting.ts"

export const receiptsSettings = {
  /** One person may write off up to this many cents; 0 means never. */
  writeOffLimitCents: setting(cents.min(0, "The limit cannot be negative").max(100_000_000_000), 0, {
    kind: "money",
    label: "Write-off limit",
    help: "One person can write off up to this amount without confirmation",
  }),
  /** Whether credit pays invoices automatically when they are sent; if off, the sender is asked. */
  autoCredit: setting(z.boolean(), false, {
    kind: "switch",
    label: "Use credit for new invoices",
    help: "When an invoice is sent, the policy's credit pays it, oldest receipt first. If off, you choose when you send the invoice",
  }),
}
