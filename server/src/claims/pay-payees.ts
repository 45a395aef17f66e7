import {
  accountHolderOf,
  hasPayeeEmail,
  type PreparedPayment,
  paymentsToPrepare,
} from "@milkwood/domain/claims/claim-payees"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import type { PayoutMethod } from "@milkwood/domain/payouts/payout"
import { sql } from "drizzle-orm"
import { createBatch } from "../payouts/change-batch.ts"
import { makePayout } from "../payouts/make-payout.ts"
import { type Cx, command, invalidInput, refused } from "../platform/calls/commands.ts"
import {
  loadClaimsToPay,
  loadPaidPayees,
  loadPayeeSets,
  type PayableClaimRecord,
  type StoredPayee,
} from "./claim-payees.queries.ts"
import { lockClaims } from "./claim-record.ts"
import { loadOwnEmails } from "./payee-conflict.ts"

interface PlannedClaim {
  claim: PayableClaimRecord
  setId: string | null
  payments: PreparedPayment<StoredPayee>[]
  refused: string[]
}

/**
 * Prepares payments to the recorded payees. As in other code, payouts are written before their claims are locked. A
 * unique index refuses a concurrent payment of the same payee; under the locks the plan is compared with the current
 * payees and amounts.
 */
export const payPayees = command(claimsContract.payees.pay, async (cx) => {
  const { claimIds, payeeIds, method, batch } = cx.input
  const plans = await planPayments(cx, claimIds, method, payeeIds)
  const missing = claimIds.filter((id) => !plans.some(({ claim }) => claim.id === id))
  if (missing.length > 0) throw refused("NOT_FOUND", "One of these claims does not exist.")
  const refusals = plans.flatMap(({ claim, refused: reasons }) =>
    reasons.map((reason) => ({ claimId: claim.id, number: claim.number, memberName: claim.memberName, reason })),
  )
  const paid = plans.filter(({ payments }) => payments.length > 0)
  if (paid.length === 0) {
    const message = refusals.map(({ number, reason }) => `${number}: ${reason}`).join(" ")
    throw invalidInput([{ path: "claimIds", message }], message)
  }
  const ids: string[] = []
  for (const plan of paid)
    for (const payment of plan.payments) ids.push(await preparePayment(cx, plan, payment, method))
  await lockClaims(
    cx,
    paid.map(({ claim }) => claim.id),
  )
  await expectSamePlan(cx, paid)
  const made = batch ? await createBatch(cx, { ...batch, payoutIds: ids }) : null
  const payments = await cx.tx.rows<{
    id: string
    number: string
    payeeName: string
    amountCents: number
    claimNumber: string
  }>(sql`
    select id, number, payee_name as "payeeName", amount_cents as "amountCents", subject_label as "claimNumber"
    from payouts where id = any (${sql.param(ids)}::uuid[]) order by number`)
  return { payments, refused: refusals, batch: made }
})

async function planPayments(
  cx: Pick<Cx, "tx" | "actor">,
  claimIds: readonly string[],
  method: PayoutMethod,
  payeeIds?: readonly string[],
): Promise<PlannedClaim[]> {
  const { tx } = cx
  const claims = await loadClaimsToPay(tx, claimIds)
  const ownEmails = await loadOwnEmails(cx)
  const sets = new Map((await loadPayeeSets(tx, claimIds, true)).map((set) => [set.claimId, set]))
  const paid = await loadPaidPayees(tx, claimIds)
  const isChosen = ({ id }: { id: string }) => payeeIds === undefined || payeeIds.includes(id)
  return claims.map((claim) => {
    const set = sets.get(claim.id)
    // The amounts follow from all payees.
    const skipped = set?.payees.filter((payee) => !isChosen(payee)).map(({ id }) => id) ?? []
    const busy = new Set([...paid, ...skipped])
    const { payments, refused: reasons } = paymentsToPrepare(claim, set?.payees ?? null, busy, method)
    const isOwn = ({ payee }: PreparedPayment<StoredPayee>) => hasPayeeEmail([payee], ownEmails)
    const own = payments
      .filter(isOwn)
      .map(({ payee }) => `${payee.name} has your e-mail address. Another person must prepare this payment.`)
    return {
      ...{ claim, setId: set?.id ?? null },
      ...{ payments: payments.filter((payment) => !isOwn(payment)), refused: [...reasons, ...own] },
    }
  })
}

const preparePayment = (
  cx: Cx,
  { claim, payments }: PlannedClaim,
  { payee, amountCents, position }: PreparedPayment<StoredPayee>,
  method: PayoutMethod,
): Promise<string> => {
  const { id, groupId, policyId, memberId, number } = claim
  const isBank = method === "bank_transfer" || method === "eft"
  return makePayout(cx, {
    ...{ groupId, policyId, memberId, amountCents, method, payeeId: payee.id, alsoPreparedBy: payee.preparedBy },
    subject: { kind: "claim", id, label: number },
    payeeName: accountHolderOf(payee),
    payeeBank: isBank ? payee.bank : "",
    payeeBranchCode: isBank ? payee.branchCode : "",
    payeeAccountNumber: isBank ? payee.accountNumber : "",
    payeeEmail: payee.email,
    // Tells several payments of one claim apart on the bank statement.
    reference: position === 1 && payments.length === 1 ? number : `${number}/${position}`,
    notes: payee.receivedBy === "self" ? "" : `For ${payee.name}`,
  })
}

/** CONFLICT if claims, payees or amounts changed before the claims were locked. */
async function expectSamePlan({ tx }: Pick<Cx, "tx">, plans: readonly PlannedClaim[]): Promise<void> {
  const ids = plans.map(({ claim }) => claim.id)
  const claims = new Map((await loadClaimsToPay(tx, ids)).map((claim) => [claim.id, claim]))
  const sets = new Map((await loadPayeeSets(tx, ids, true)).map((set) => [set.claimId, set]))
  for (const { claim, setId, payments } of plans) {
    const now = claims.get(claim.id)!
    const versions = new Map(sets.get(claim.id)?.payees.map(({ id, version }) => [id, version]))
    const isSame =
      now.status === "approved" &&
      now.approvedAmountCents === claim.approvedAmountCents &&
      sets.get(claim.id)?.id === setId &&
      payments.every(({ payee }) => versions.get(payee.id) === payee.version)
    if (!isSame) throw refused("CONFLICT", `Someone else changed ${claim.number} meanwhile. Nothing was changed.`)
  }
}
