import { type Day, type DayFormat, formatDay } from "@milkwood/domain/kernel/calendar"
import { type Cents, type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import {
  type Addressee,
  addPage,
  drawAddressee,
  drawFacts,
  drawFooters,
  type Letterhead,
  letterhead,
  pageBounds,
} from "../platform/pdf/letter.ts"
import { muted, type Sheet, teal } from "../platform/pdf/pdf-sheet.ts"
import type { PdfTemplate } from "../platform/pdf/pdf-worker.ts"

export interface ReceiptDocument {
  organisation: Letterhead
  dateFormat: DayFormat
  currency: Currency
  createdAt: string
  number: string
  policyNumber: string
  receivedFrom: Addressee
  receivedOn: Day
  method: string
  reference: string
  deposit: { number: string; amountCents: Cents } | null
  amountCents: Cents
  paid: { invoiceNumber: string; invoiceOn: Day; amountCents: Cents }[]
  refundedCents: Cents
  creditCents: Cents
  reversedOn: Day | null
}

const { left, right, width, bottom } = pageBounds
const title = "Receipt"

const template: PdfTemplate<ReceiptDocument> = {
  about: (document) => ({
    title: `${title} ${document.number}`,
    author: document.organisation.name,
    createdAt: document.createdAt,
  }),
  draw(sheet, document) {
    addPage(sheet, watermarkOf(document))
    const top = letterhead(sheet, document.organisation, title, document.number)
    drawUses(sheet, document, parties(sheet, document, top))
    drawFooters(sheet, document.organisation)
  },
}
export default template

const watermarkOf = ({ reversedOn }: ReceiptDocument): string | null => (reversedOn ? "REVERSED" : null)

function parties(sheet: Sheet, document: ReceiptDocument, top: number): number {
  const day = (on: Day) => formatDay(on, document.dateFormat)
  const under = drawAddressee(sheet, "RECEIVED FROM", document.receivedFrom, top)
  const { deposit, reference, reversedOn } = document
  const rows: [string, string][] = [
    ["Policy number", document.policyNumber],
    ["Receipt date", day(document.receivedOn)],
    ["Payment method", document.method],
    ...(reference ? ([["Reference", sheet.wrap(reference, 140, { weight: "bold" })[0]!]] as [string, string][]) : []),
    ...(deposit
      ? ([["Part of deposit", `${deposit.number} of ${formatMoney(deposit.amountCents, document.currency)}`]] as [
          string,
          string,
        ][])
      : []),
    ...(reversedOn ? ([["Reversed", day(reversedOn)]] as [string, string][]) : []),
  ]
  return (
    Math.max(
      under,
      drawFacts(sheet, rows, top, {
        label: "Amount received",
        cents: document.amountCents,
        currency: document.currency,
      }),
    ) + 28
  )
}

const columns = {
  invoice: { x: left + 8, width: 250 },
  date: { x: left + 266, width: 100 },
  amount: { x: right - 108, width: 100 },
} as const

function drawUses(sheet: Sheet, document: ReceiptDocument, top: number): void {
  let y = document.paid.length > 0 ? drawTableHead(sheet, top) : top
  const { amount, date, invoice } = columns
  for (const { invoiceNumber, invoiceOn, amountCents } of document.paid) {
    if (y + 21 > bottom) {
      addPage(sheet, watermarkOf(document))
      sheet.text(`${document.number}, continued`, left, 30, { size: 8.5, color: muted })
      y = drawTableHead(sheet, 48)
    }
    sheet.text(invoiceNumber, invoice.x, y + 4.5)
    sheet.text(formatDay(invoiceOn, document.dateFormat), date.x, y + 4.5, { color: muted })
    sheet.text(formatMoney(amountCents, document.currency), amount.x, y + 4.5, { align: "right", width: amount.width })
    y += 20
    sheet.rule(left, y, width)
  }
  const rests: [string, Cents][] = [
    ["Refunded", document.refundedCents],
    ["Credit on the policy", document.creditCents],
  ]
  for (const [name, cents] of rests.filter(([, cents]) => cents > 0)) {
    if (y + 24 > bottom) {
      addPage(sheet, watermarkOf(document))
      y = 48
    }
    y += 8
    sheet.text(name, invoice.x, y, { color: muted })
    sheet.text(formatMoney(cents, document.currency), amount.x, y, { align: "right", width: amount.width })
    y += 12
  }
}

function drawTableHead(sheet: Sheet, y: number): number {
  const style = { size: 7.5, weight: "bold", color: "#ffffff" } as const
  sheet.box(left, y, width, 21, teal, 3)
  const at = y + 6.2
  sheet.text("INVOICE PAID", columns.invoice.x, at, style)
  sheet.text("INVOICE DATE", columns.date.x, at, style)
  sheet.text("AMOUNT", columns.amount.x, at, { ...style, align: "right", width: columns.amount.width })
  return y + 21
}
