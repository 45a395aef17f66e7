import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { query } from "../platform/calls/commands.ts"
import { timeline } from "../platform/trail/facts.ts"
import { allocateReceipt, unallocateReceipt } from "./allocate-receipt.ts"
import { draftReceiptMail, mailReceipt } from "./mail-receipt.ts"
import { listReceipts } from "./receipt-list.queries.ts"
import { readNextReceiptNumber, readOpenInvoices, readPolicyCredit, readReceiptDetail } from "./receipts.queries.ts"
import { recordDeposit, recordReceipt } from "./record-receipt.ts"
import { reverseDeposit, reverseReceipt } from "./reverse-receipt.ts"
import { updateReceipt } from "./update-receipt.ts"
import { readCreditOffer } from "./use-credit.ts"
import { confirmWriteOff, declineWriteOff, requestWriteOff, reverseWriteOff } from "./write-off.ts"
import { listWriteOffs, waitingWriteOffs } from "./write-offs.queries.ts"

export const receiptsRouter = {
  list: listReceipts,
  detail: query(receiptsContract.detail, (cx) => readReceiptDetail(cx, cx.input.receiptId)),
  activity: query(receiptsContract.activity, async (cx) => {
    await readReceiptDetail(cx, cx.input.receiptId)
    return timeline(cx, "receipt", cx.input.receiptId, cx.input)
  }),
  openInvoices: query(receiptsContract.openInvoices, async ({ tx, input }) => ({
    invoices: await readOpenInvoices(tx, input.policyId),
    creditCents: await readPolicyCredit(tx, input.policyId),
  })),
  creditOffer: readCreditOffer,
  nextNumber: query(receiptsContract.nextNumber, async ({ tx, today }) => ({
    number: await readNextReceiptNumber(tx, today),
  })),
  record: recordReceipt,
  recordDeposit,
  reverseDeposit,
  update: updateReceipt,
  draftMail: draftReceiptMail,
  mail: mailReceipt,
  allocate: allocateReceipt,
  unallocate: unallocateReceipt,
  reverse: reverseReceipt,
  writeOffs: listWriteOffs,
  waitingWriteOffs,
  writeOff: requestWriteOff,
  confirmWriteOff,
  declineWriteOff,
  reverseWriteOff,
}
