import type { InvoiceRow } from "@milkwood/domain/billing/billing.contract"
import type { InvoiceAction } from "@milkwood/domain/billing/invoice"
import { type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import { lazy } from "react"
import { client } from "../platform/api.ts"
import { downloadFile } from "../platform/download.ts"
import type { BulkStep } from "../ui/data-table/types.ts"

import { pdfHref } from "./billing.api.ts"

const allows = (action: InvoiceAction) => (row: InvoiceRow) => row.allowedActions.includes(action)
const invoiceNameOf = (row: InvoiceRow) => row.number
const invoiceCountText = (rows: InvoiceRow[]) => (rows.length === 1 ? "1 invoice" : `${rows.length} invoices`)
const totalAmountText = (rows: InvoiceRow[], currency: Currency) =>
  formatMoney(
    rows.reduce((sum, { totalCents }) => sum + totalCents, 0),
    currency,
  )

export const invoiceBulkSteps: readonly BulkStep<InvoiceRow>[] = [
  {
    label: "Approve",
    done: "approved",
    room: "billing",
    may: allows("approve"),
    name: invoiceNameOf,
    question: (rows, currency) => ({
      title: `Approve ${invoiceCountText(rows)}?`,
      words: `${totalAmountText(rows, currency)} in total. They can then be sent, but no longer edited.`,
    }),
    run: ({ id, version }) => client.billing.approve({ invoiceId: id, version }),
  },
  {
    label: "Send",
    done: "sent",
    room: "billing",
    may: allows("send"),
    name: invoiceNameOf,
    question: (rows, currency) => ({
      title: `Send ${invoiceCountText(rows)}?`,
      words: `${totalAmountText(rows, currency)} in total is then owed, and we email each PDF to the main contact of its policy. You cannot change a sent invoice; you can correct it with a credit note.`,
    }),
    about: lazy(() => import("./invoices-credit.tsx")),
    run: ({ id, version }, { key, choice }) =>
      client.billing.send({
        invoiceId: id,
        version,
        idempotencyKey: key,
        useCredit: choice === undefined ? undefined : choice === true,
      }),
  },
  {
    label: "Download",
    gives: { one: "PDF", many: "PDFs" },
    done: "downloaded",
    may: allows("download"),
    name: invoiceNameOf,
    question: (rows) => ({
      title: `Download ${rows.length === 1 ? "the PDF" : `${rows.length} PDFs`}?`,
      words: "One file for each invoice. Your browser may ask you to allow several downloads.",
    }),
    run: ({ id }) => downloadFile(pdfHref(id)),
  },
]
