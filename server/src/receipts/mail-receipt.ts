import type { DocumentMail } from "@milkwood/domain/billing/delivery-shape"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { receiptMail } from "@milkwood/domain/receipts/receipt-mail"
import { refuseReversed } from "@milkwood/domain/receipts/receipt-steps"
import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { sql } from "drizzle-orm"
import { command, orRefuse, query } from "../platform/calls/commands.ts"
import { readRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { job, startJob } from "../platform/work/jobs.ts"
import { queueMail } from "../platform/work/mail.ts"
import { isMailEnabled } from "../platform/work/mail-server.ts"
import { loadRecipients } from "../policies/policy-recipients.ts"
import { readReceiptDocument, receiptPdf } from "./receipt-document.ts"
import { receipts } from "./receipts.tables.ts"

export const draftReceiptMail = query(receiptsContract.draftMail, async (cx) => {
  const { receivedFrom, creditCents, organisation, dateFormat, ...receipt } = await readReceiptDocument(
    cx,
    cx.input.receiptId,
  )
  const policyId = sql`(select policy_id from receipts where id = ${cx.input.receiptId})`
  const { to, contact } = await loadRecipients(cx.tx, policyId, "invoices")
  const { subject, text } = receiptMail({
    contact,
    group: receivedFrom.groupName,
    policy: receipt.policyNumber,
    number: receipt.number,
    amount: formatMoney(receipt.amountCents, cx.currency),
    receivedOn: formatDay(receipt.receivedOn, dateFormat),
    credit: creditCents > 0 ? formatMoney(creditCents, cx.currency) : null,
    organisation: organisation.name,
  })
  return { to, subject, text }
})

const jobKind = "receipts.mail"

interface ReceiptMailPayload {
  receiptId: string
  mail: DocumentMail
}

/** Renders the PDF later in the background, with the data of that moment. */
export const mailReceipt = command(receiptsContract.mail, async (cx) => {
  const { receiptId, mail } = cx.input
  const receipt = await readRecord(cx.tx, receipts, receiptId)
  orRefuse(refuseReversed(receipt))
  const { id, number, groupId } = receipt
  const payload: ReceiptMailPayload = { receiptId, mail }
  await startJob(cx, { kind: jobKind, label: `E-mail of receipt ${number}`, groupId, payload })
  const mailed = await isMailEnabled(cx)
  await record(cx, [
    { record: { kind: "receipt", id, label: number }, groupId, type: "ReceiptMailed", to: mail.to, mailed },
  ])
  return { mailed }
})

export const receiptMailJob = job<ReceiptMailPayload>(jobKind, async ({ payload, app, transaction, complete }) => {
  const { receiptId, mail } = payload
  const document = await transaction((cx) => readReceiptDocument(cx, receiptId))
  const content = await receiptPdf({ app, line: "records" }, () => document)
  await transaction(async (cx) => {
    const { groupId } = await readRecord(cx.tx, receipts, receiptId)
    const name = `${document.number}.pdf`
    const { id: fileId } = await cx.app.files.save(cx, {
      kind: "receipt",
      name,
      mime: "application/pdf",
      groupId,
      content,
    })
    await queueMail(cx, {
      ...mail,
      groupId,
      attachments: [{ fileId, name }],
      about: { kind: "receipt", id: receiptId },
    })
    await complete(cx)
  })
})
