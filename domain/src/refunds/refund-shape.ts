import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { line, text } from "../kernel/text-shape.ts"
import { payee } from "../payouts/payout-shape.ts"
import { refundMethods, refundReasons } from "./refund.ts"

export const refundForm = z
  .object({
    policyId: z.uuid("Please select a policy"),
    memberId: z.uuid().nullable(),
    amountCents: cents.min(1, "Enter an amount above zero").max(100_000_000_000_00, "The amount is too large"),
    method: z.enum(refundMethods),
    reason: z.enum(refundReasons),
    periodFromOn: day.nullable(),
    periodToOn: day.nullable(),
    reference: line(140),
    notes: text(2_000),
    payeeName: line(140),
    payeeBank: line(60),
    payeeBranchCode: line(6),
    payeeAccountNumber: line(16),
  })
  .superRefine(({ method, ...form }, context) => {
    const issue = (path: string, message: string): void => {
      context.addIssue({ code: "custom", path: [path], message })
    }
    if (form.periodFromOn !== null && form.periodToOn !== null && form.periodToOn < form.periodFromOn)
      issue("periodToOn", "The period ends before it starts")
    if (method === "credit_note") return
    const checked = payee.safeParse({ ...form, method })
    for (const { path, message } of checked.error?.issues ?? []) issue(String(path[0]), message)
  })
export type RefundForm = z.infer<typeof refundForm>
