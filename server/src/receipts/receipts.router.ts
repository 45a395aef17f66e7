import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { query } from "../platform/calls/commands.ts"
import { timeline } from "../platform/trail/facts.ts"
import { allocateReceipt, unallocateReceipt } from "./allocate-receipt.ts"
import { draftReceiptMail, mailReceipt } from "./mail-receipt.ts"
import { listReceipts } from "./receipt-list.queries.ts"
import { openInvoicesOf, policyCredit, receiptDetail, upcomingReceiptNumber } from "./receipts.queries.ts"
import { recordDeposit, recordReceipt } from "./record-receipt.ts"
import { reverseDeposit, reverseReceipt } from "./reverse-receipt.ts"
import { updateReceipt } from "./update-receipt.ts"
import { creditOffer } from "./use-credit.ts"
import { askWriteOff, confirmWriteOff, declineWriteOff, reverseWriteOff } from "./write-off.ts"
import { listWriteOffs, waitingWriteOffs } from "./write-offs.queries.ts"

export const receiptsRouter = {
  list: listReceipts,
  detail: query(receiptsContract.detail, (cx) => receiptDetail(cx, cx.input.receiptId)),
  activity: query(receiptsContract.activity, async (cx) => {
    await receiptDetail(cx, cx.input.receiptId)
    return timeline(cx, "receipt", cx.input.receiptId, cx.input)
  }),
  openInvoices: query(receiptsContract.openInvoices, async ({ tx, input }) => ({
    invoices: await openInvoicesOf(tx, input.policyId),
    creditCents: await policyCredit(tx, input.policyId),
  })),
  creditOffer,
  nextNumber: query(receiptsContract.nextNumber, async ({ tx, today }) => ({
    number: await upcomingReceiptNumber(tx, today),
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
  writeOff: askWriteOff,
  confirmWriteOff,
  declineWriteOff,
  reverseWriteOff,
}
