import { randomUUID } from "node:crypto"
import { receiptTaken } from "@milkwood/domain/ledger/posting-rules"
import { type OpenInvoice, type Receipt, receiptAccountFor } from "@milkwood/domain/receipts/receipt"
import {
  type AllocationInput,
  allocateOldestFirst,
  checkAllocations,
  type DepositForm,
  type ReceiptForm,
} from "@milkwood/domain/receipts/receipt-shape"
import {
  checkDepositParts,
  checkReceiptPolicy,
  moveErrorToPart,
  receiptRecordedFacts,
} from "@milkwood/domain/receipts/receipt-steps"
import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { sql } from "drizzle-orm"
import { post } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, invalidInput, orRefuse, refused } from "../platform/calls/commands.ts"
import { holdLock } from "../platform/database/locks.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { record } from "../platform/trail/facts.ts"
import { findPolicyHead, type PolicyHead } from "../policies/policy-record.ts"
import { insertAllocations } from "./allocations.ts"
import { lockOpenInvoices } from "./receipt-record.ts"
import { readDepositDetail, readReceiptDetail } from "./receipts.queries.ts"
import { deposits, receipts } from "./receipts.tables.ts"

export const recordReceipt = command(receiptsContract.record, async (cx) => {
  const { oldestFirst = false, allocations, ...form } = cx.input
  if (oldestFirst && allocations)
    throw invalidInput([{ path: "oldestFirst", message: "Send allocations or oldestFirst, not both" }])
  const asked = oldestFirst ? undefined : (allocations ?? [])
  return readReceiptDetail(cx, (await recordSingleReceipt(cx, { ...form, allocations: asked })).id)
})

export const recordDeposit = command(receiptsContract.recordDeposit, async (cx) =>
  readDepositDetail(cx.tx, (await recordPartsOfDeposit(cx, cx.input)).depositId),
)

export type RecordedReceipt = Pick<Receipt, "id" | "groupId" | "number">

interface AllocationChoice {
  allocations?: readonly AllocationInput[] | undefined
}

/** The bank account that received the money, set by other modules; null is the main one. */
interface BankAccountChoice {
  bankAccountId?: string | null
}

/** Records money for one policy, posts and allocates it; also called by other modules. An empty number is assigned. */
export async function recordSingleReceipt(
  cx: Cx,
  form: ReceiptForm & AllocationChoice & BankAccountChoice,
): Promise<RecordedReceipt> {
  const policy = orRefuse(checkReceiptPolicy(await findPolicyHead(cx.tx, form.policyId), form.receivedOn, cx.today))
  return insertReceipt(cx, policy, await lockOpenInvoices(cx.tx, policy.id), { ...form, depositId: null })
}

/**
 * Records one payment for several policies as one receipt each; also called by other modules. Returns the deposit id
 * and the receipts in order of the parts. All policies are locked before the first number is assigned.
 */
export async function recordPartsOfDeposit(
  cx: Cx,
  form: DepositForm & BankAccountChoice,
): Promise<{ depositId: string; receipts: RecordedReceipt[] }> {
  const { amountCents, method, receivedOn, reference, notes, bankAccountId = null } = form
  const held = []
  for (const part of orRefuse(checkDepositParts(form, cx.currency))) {
    const decided = checkReceiptPolicy(await findPolicyHead(cx.tx, part.policyId), receivedOn, cx.today)
    const policy = orRefuse(moveErrorToPart(decided, part.at))
    held.push({ part, policy, open: await lockOpenInvoices(cx.tx, policy.id) })
  }
  const depositId = randomUUID()
  const said = { method, receivedOn, reference, notes }
  await cx.tx.insert(deposits).values({
    id: depositId,
    number: await nextNumber(cx.tx, "deposit", cx.today),
    amountCents,
    ...said,
    createdBy: actorUserId(cx.actor),
    createdAt: cx.now,
  })
  const taken: RecordedReceipt[] = []
  for (const { part, policy, open } of held) {
    taken[part.at] = await insertReceipt(cx, policy, open, { ...said, ...part, number: "", depositId, bankAccountId })
  }
  return { depositId, receipts: taken }
}

async function insertReceipt(
  cx: Cx,
  policy: PolicyHead,
  open: readonly OpenInvoice[],
  form: ReceiptForm & AllocationChoice & BankAccountChoice & { depositId: string | null },
): Promise<RecordedReceipt> {
  const allocations = form.allocations
    ? orRefuse(checkAllocations(form.allocations, form.amountCents, open, cx.currency))
    : allocateOldestFirst(form.amountCents, open)
  const receipt = {
    id: randomUUID(),
    groupId: policy.groupId,
    policyId: policy.id,
    number: await chooseReceiptNumber(cx, form.number),
    amountCents: form.amountCents,
    method: form.method,
    paidInto: receiptAccountFor(form.method),
    receivedOn: form.receivedOn,
    reference: form.reference,
    notes: form.notes,
    depositId: form.depositId,
    createdBy: actorUserId(cx.actor),
    createdAt: cx.now,
  }
  await cx.tx.insert(receipts).values(receipt)
  await post(
    cx,
    receiptTaken({
      receiptId: receipt.id,
      number: receipt.number,
      paidInto: receipt.paidInto,
      bankAccountId: form.bankAccountId ?? null,
      amountCents: receipt.amountCents,
      on: receipt.receivedOn,
      policy: { policyId: policy.id, groupId: policy.groupId },
    }),
  )
  await record(cx, receiptRecordedFacts(receipt))
  await insertAllocations(cx, receipt, allocations, open)
  return receipt
}

/** The typed number, refused if it is used; if empty, the next free one. */
async function chooseReceiptNumber({ tx, today }: Cx, typed: string): Promise<string> {
  const taken = async (number: string): Promise<boolean> => {
    // The lock prevents concurrent receipts with the same number.
    await holdLock(tx, "receiptNumber", sql`lower(${number})`)
    return (await tx.row(sql`select from receipts where lower(number) = lower(${number})`)) !== undefined
  }
  if (typed !== "") {
    if (await taken(typed)) throw refused("NUMBER_TAKEN", `Another receipt has the number ${typed}.`)
    return typed
  }
  for (;;) {
    const number = await nextNumber(tx, "receipt", today)
    if (!(await taken(number))) return number
  }
}
