import { z } from "zod"
import { cents } from "../kernel/money-shape.ts"
import { setting } from "../kernel/setting.ts"

export const payoutsSettings = {
  /** Up to this amount, in cents, preparers may release their own payment or batch; 0: never. */
  releaseLimitCents: setting(cents.min(0, "The limit cannot be negative").max(100_000_000_000), 0, {
    kind: "money",
    label: "Release limit",
    help: "Up to this amount, the person who prepared a payment or a batch can also release it",
  }),
  /** Releasing more than this, in cents, needs a password or code within the last ten minutes; 0: always. */
  proofAboveCents: setting(cents.min(0, "The limit cannot be negative").max(100_000_000_000), 50_000_00, {
    kind: "money",
    label: "Confirm identity above",
    help: "A release above this amount asks for your password or code again, unless you entered it in the last ten minutes",
  }),
  /** Maximum amount of a batch, in cents; 0: no limit. */
  batchLimitCents: setting(cents.min(0, "The limit cannot be negative").max(100_000_000_000), 0, {
    kind: "money",
    label: "Largest batch",
    help: "A batch above this amount cannot be released; 0,00 means no limit",
  }),
  /** Hours that a payment waits after its payee changed. */
  payeeWaitHours: setting(
    z.int("Enter whole hours").min(0, "Enter 0 hours or more").max(720, "Enter at most 720 hours"),
    24,
    {
      kind: "number",
      label: "Wait after a payee change",
      help: "Hours before a payment can be released when its payee differs from an earlier payment",
      unit: "whole hours",
    },
  ),
  /** The bank's cut-off time on business days for same-day payments. */
  bankCutOff: setting(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Enter a time, such as 15:00"), "15:00", {
    kind: "line",
    label: "Bank cut-off time",
    help: "After this time a batch is paid on the next business day",
    required: "Enter a time, such as 15:00",
    placeholder: "15:00",
  }),
}
