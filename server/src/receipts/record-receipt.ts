import { randomUUID } from "node:crypto"
import { receiptTaken } from "@milkwood/domain/ledger/posting-rules"
import { paidIntoBy, type Receipt } from "@milkwood/domain/receipts/receipt"
import {
  type AllocationInput,
  allocateOldestFirst,
  checkAllocations,
  type ReceiptForm,
} from "@milkwood/domain/receipts/receipt-shape"
import { receiving, recorded } from "@milkwood/domain/receipts/receipt-steps"
import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { sql } from "drizzle-orm"
import { post } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse, refused } from "../platform/calls/commands.ts"
import { holdLock } from "../platform/database/locks.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { record } from "../platform/trail/facts.ts"
import { findHeldPolicy } from "../policies/policy-record.ts"
import { insertAllocations } from "./allocations.ts"
import { lockOpenInvoices } from "./receipt-record.ts"
import { receiptDetail } from "./receipts.queries.ts"
import { receipts } from "./receipts.tables.ts"

export const recordReceipt = command(receiptsContract.record, async (cx) => {
  const { id } = await takeReceipt(cx, cx.input)
  return receiptDetail(cx, id)
})

/** Records a receipt with its allocations, the oldest invoices first where none are said; for the rooms to the right too. */
export async function takeReceipt(
  cx: Cx,
  input: ReceiptForm & { allocations?: readonly AllocationInput[] | undefined },
): Promise<Pick<Receipt, "id" | "groupId" | "number">> {
  const { tx, now, today } = cx
  const policy = orRefuse(receiving(await findHeldPolicy(tx, input.policyId), input.receivedOn, today))
  const open = await lockOpenInvoices(tx, policy.id)
  const allocations = input.allocations
    ? orRefuse(checkAllocations(input.allocations, input.amountCents, open))
    : allocateOldestFirst(input.amountCents, open)

  const receipt = {
    id: randomUUID(),
    groupId: policy.groupId,
    policyId: policy.id,
    number: await freeNumber(cx, input.number),
    amountCents: input.amountCents,
    method: input.method,
    paidInto: paidIntoBy(input.method),
    receivedOn: input.receivedOn,
    reference: input.reference,
    notes: input.notes,
    createdBy: actorUserId(cx.actor),
    createdAt: now,
  }
  await tx.insert(receipts).values(receipt)
  await post(
    cx,
    receiptTaken({
      receiptId: receipt.id,
      number: receipt.number,
      paidInto: receipt.paidInto,
      amountCents: receipt.amountCents,
      on: receipt.receivedOn,
      policy: { policyId: policy.id, groupId: policy.groupId },
    }),
  )
  await record(cx, recorded(receipt))
  await insertAllocations(cx, receipt, allocations, open)
  return receipt
}

/** The number that was typed, refused when another receipt has it, or the next one; numbers typed ahead are passed over. */
async function freeNumber({ tx, today }: Cx, typed: string): Promise<string> {
  const taken = async (number: string): Promise<boolean> => {
    // Two receipts with one number at once: the second waits for the first here and then finds it.
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
