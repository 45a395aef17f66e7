import { randomUUID } from "node:crypto"
import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { invoiceGeneratedFacts, refuseInactive } from "@milkwood/domain/billing/invoice-steps"
import { actorUserId } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { record } from "../platform/trail/facts.ts"
import { lockPolicy } from "../policies/policy-record.ts"
import { invoices } from "./billing.tables.ts"
import { completeLines } from "./fill-lines.ts"
import { invoiceDetail } from "./invoices.queries.ts"
import { checkInvoice, insertLines } from "./save-invoice.ts"

/** Takes the number last, to lock the counter as briefly as possible. */
export const generateInvoice = command(billingContract.generate, async (cx) => {
  const { tx, input, now, today } = cx
  const { policyId, memberLines: _, ...typed } = input.invoice
  const policy = await lockPolicy(tx, policyId)
  orRefuse(refuseInactive(policy))
  const { lines: whole, ...form } = { ...typed, lines: await completeLines(cx, policyId, input.invoice) }
  const { totals, lines } = await checkInvoice(cx, policy, { ...form, lines: whole })

  const invoice = {
    id: randomUUID(),
    groupId: policy.groupId,
    number: await nextNumber(tx, "invoice", today),
  }
  await tx.insert(invoices).values({
    ...form,
    ...totals,
    ...invoice,
    policyId,
    createdBy: actorUserId(cx.actor),
    createdAt: now,
  })
  await insertLines(tx, invoice, lines)
  await record(cx, invoiceGeneratedFacts({ ...invoice, policyId, totalCents: totals.totalCents }))
  return invoiceDetail(cx, invoice.id)
})
