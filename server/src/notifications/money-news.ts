import type { BillingFact } from "@milkwood/domain/billing/billing-facts"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { overdueWithinDays } from "@milkwood/domain/notifications/notification"
import type { PayoutFact } from "@milkwood/domain/payouts/payout-facts"
import type { WriteOffFact } from "@milkwood/domain/receipts/receipt-facts"
import { sql } from "drizzle-orm"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import { promiseSql } from "../collection/promises.queries.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { markNotificationsDone, type NotificationInput, notifyPeople } from "./tell.ts"

type PayoutFactOf<T extends PayoutFact["type"]> = Extract<PayoutFact, { type: T }>

/** Notifies in the product only; the main contact receives the invoice itself by mail. */
export const notifyInvoiceSent = (
  cx: Cx,
  { record, groupId, totalCents, dueOn }: Extract<BillingFact, { type: "InvoiceSent" }>,
): Promise<void> =>
  notifyPeople(cx, "invoice_sent", [
    { record, groupId, roles: ["group_admin", "policy_holder"], detail: { cents: totalCents, on: dueOn } },
  ])

/** Not sent to preparers, who may not release the payment. */
export async function notifyPaymentToRelease(
  cx: Cx,
  { record, groupId }: PayoutFactOf<"PayoutMade"> | PayoutFactOf<"PayoutRetried">,
): Promise<void> {
  const { cents, preparedBy } = await paymentOf(cx, record.id)
  await markNotificationsDone(cx, ["payout_failed"], [record.id])
  await notifyPeople(cx, "payout_to_release", [
    { record, groupId, roles: ["admin", "manager"], except: preparedBy, detail: { cents } },
  ])
}

async function paymentOf({ tx }: Cx, payoutId: string) {
  const found = await tx.row<{ cents: Cents; preparedBy: string[] }>(
    sql`select amount_cents as cents, prepared_by as "preparedBy" from payouts where id = ${payoutId}`,
  )
  return found!
}

export const settlePayoutNotifications = (cx: Cx, facts: readonly PayoutFact[]): Promise<void> =>
  markNotificationsDone(
    cx,
    ["payout_to_release", "payout_failed"],
    facts.map(({ record }) => record.id),
  )

/** Sent to the preparer, who can retry or cancel the payment. */
export async function notifyPayoutFailed(
  cx: Cx,
  { record, groupId, type }: PayoutFactOf<"PayoutFailed"> | PayoutFactOf<"PayoutReturned">,
): Promise<void> {
  const { preparedBy } = await paymentOf(cx, record.id)
  const outcome = type === "PayoutFailed" ? "failed" : "returned"
  await markNotificationsDone(cx, ["payout_to_release"], [record.id])
  await notifyPeople(cx, "payout_failed", [{ record, groupId, people: preparedBy, detail: { outcome } }])
}

/** Asks managers to confirm the write-off; the requester may not. */
export const notifyWriteOffRequested = (cx: Cx, { record, totalCents: cents }: WriteOffFact): Promise<void> =>
  notifyPeople(cx, "write_off_to_confirm", [{ record, groupId: null, roles: ["admin", "manager"], detail: { cents } }])

export const markWriteOffDecided = (cx: Cx, { record }: WriteOffFact): Promise<void> =>
  markNotificationsDone(cx, ["write_off_to_confirm"], [record.id])

interface OverdueInvoice {
  id: string
  number: string
  groupId: string
  cents: Cents
  on: Day
}

/** Notifies employers once per overdue invoice and settles paid ones. */
export async function notifyOverdue(cx: Cx): Promise<void> {
  await markNotificationsDone(
    cx,
    ["invoice_overdue", "invoice_sent"],
    sql`select n.record_id from notifications n join invoices i on i.id = n.record_id
      where n.done_at is null and n.kind in ('invoice_overdue', 'invoice_sent') and not (${isOpen})`,
  )
  const overdue = await cx.tx.rows<OverdueInvoice>(sql`
    select i.id, i.number, i.group_id as "groupId", ${openCents} as cents, i.due_on as "on" from invoices i
    where ${isOpen} and i.due_on < ${cx.today}::date and i.due_on >= ${cx.today}::date - ${overdueWithinDays}::int
    order by i.due_on, i.id`)
  await notifyPeople(
    cx,
    "invoice_overdue",
    overdue.map(({ id, number, groupId, ...detail }) => ({
      record: { kind: "invoice", id, label: number },
      groupId,
      roles: ["group_admin", "policy_holder"],
      detail,
      once: `overdue ${id}`,
    })),
  )
}

type BrokenPromise = OverdueInvoice & { policyId: string; madeBy: string | null }

/** Notifies the user who took the promise, or managers if that user has left. */
export async function notifyBrokenPromises(cx: Cx): Promise<void> {
  const broken = await cx.tx.rows<BrokenPromise>(sql`
    select c.id, p.id as "policyId", p.number, c.promised_cents as cents, c.promised_on as "on",
      (select u.id from users u where u.id = c.made_by and u.disabled_at is null and u.role in ('admin', 'manager')) as "madeBy"
    from premium_contacts c join policies p on p.id = c.policy_id
    where c.outcome = 'promise' and c.promised_on < ${cx.today}::date
      and c.promised_on >= ${cx.today}::date - ${overdueWithinDays}::int and ${promiseSql(cx.today, cx.timezone)} = 'broken'
    order by c.promised_on, c.id`)
  await notifyPeople(
    cx,
    "promise_broken",
    broken.map(
      ({ id, policyId, number, cents, on, madeBy }): NotificationInput => ({
        record: { kind: "policy", id: policyId, label: number },
        groupId: null,
        ...(madeBy ? { people: [madeBy] } : { roles: ["manager"] }),
        detail: { cents, on },
        once: `promise ${id}`,
      }),
    ),
  )
}
