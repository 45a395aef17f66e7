import { type Day, type DayFormat, formatDay } from "@milkwood/domain/kernel/calendar"
import { type Cents, type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import {
  type Addressee,
  addPage,
  drawAddressee,
  drawFacts,
  drawFooters,
  drawPaymentInstructions,
  type Letterhead,
  letterhead,
  pageBounds,
} from "../platform/pdf/letter.ts"
import { muted, type Sheet, teal } from "../platform/pdf/pdf-sheet.ts"
import type { PdfTemplate } from "../platform/pdf/pdf-worker.ts"

/** Contains no member names. */
export interface StatementDocument {
  organisation: Letterhead
  dateFormat: DayFormat
  currency: Currency
  createdAt: string
  policyNumber: string
  groupName: string
  billTo: Addressee
  from: Day
  to: Day
  openingCents: Cents
  closingCents: Cents
  creditCents: Cents
  lines: { on: Day; description: string; chargeCents: Cents; paymentCents: Cents; balanceCents: Cents }[]
}

const { left, right, width, bottom } = pageBounds
const columns = {
  on: { x: left + 8, width: 62 },
  description: { x: left + 76, width: 180 },
  charge: { x: left + 262, width: 74 },
  payment: { x: left + 340, width: 74 },
  balance: { x: right - 84, width: 76 },
} as const

const title = "Statement of account"

const template: PdfTemplate<StatementDocument> = {
  about: (document) => ({
    title: `${title} ${document.policyNumber}`,
    author: document.organisation.name,
    createdAt: document.createdAt,
  }),
  draw(sheet, document) {
    addPage(sheet)
    const top = letterhead(sheet, document.organisation, title, document.policyNumber)
    const day = (on: Day) => formatDay(on, document.dateFormat)
    const underAddress = drawAddressee(sheet, "TO", document.billTo, top)
    const underFacts = drawFacts(
      sheet,
      [
        ["Policy number", document.policyNumber],
        ["From", day(document.from)],
        ["To", day(document.to)],
      ],
      top,
      {
        label: document.closingCents < 0 ? "In your favour" : "Balance due",
        cents: Math.abs(document.closingCents),
        currency: document.currency,
      },
    )
    const pay = drawPaymentInstructions(
      sheet,
      document.organisation,
      document.policyNumber,
      Math.max(underAddress, underFacts) + 24,
    )
    drawTable(sheet, document, pay)
    drawFooters(sheet, document.organisation)
  },
}
export default template

function drawTableHead(sheet: Sheet, y: number): number {
  const style = { size: 7.5, weight: "bold", color: "#ffffff" } as const
  const amount = { ...style, align: "right" } as const
  sheet.box(left, y, width, 21, teal, 3)
  const at = y + 6.2
  sheet.text("DATE", columns.on.x, at, style)
  sheet.text("DESCRIPTION", columns.description.x, at, style)
  sheet.text("CHARGES", columns.charge.x, at, { ...amount, width: columns.charge.width })
  sheet.text("PAYMENTS", columns.payment.x, at, { ...amount, width: columns.payment.width })
  sheet.text("BALANCE", columns.balance.x, at, { ...amount, width: columns.balance.width })
  return y + 21
}

function drawTable(sheet: Sheet, document: StatementDocument, top: number): void {
  const { openingCents, closingCents, lines } = document
  const day = (on: Day) => formatDay(on, document.dateFormat)
  let y = drawTableHead(sheet, top)
  const row = (on: Day, words: string, charge: Cents, payment: Cents, balance: Cents, bold = false) => {
    const style = bold ? ({ weight: "bold" } as const) : {}
    const description = sheet.wrap(words, columns.description.width, style)
    const height = description.length * 12 + 8
    if (y + height > bottom) {
      addPage(sheet)
      sheet.text(`${document.policyNumber}, continued`, left, 30, { size: 8.5, color: muted })
      y = drawTableHead(sheet, 48)
    }
    const at = y + 4.5
    const amount = (cents: Cents, column: { x: number; width: number }) =>
      sheet.text(formatMoney(cents, document.currency), column.x, at, { ...style, align: "right", width: column.width })
    sheet.text(day(on), columns.on.x, at, { ...style, ...(bold ? {} : { color: muted }) })
    sheet.lines(description, columns.description.x, at, 12, style)
    if (charge !== 0) amount(charge, columns.charge)
    if (payment !== 0) amount(payment, columns.payment)
    amount(balance, columns.balance)
    y += height
    sheet.rule(left, y, width)
  }
  row(document.from, "Opening balance", 0, 0, openingCents, true)
  for (const line of lines) row(line.on, line.description, line.chargeCents, line.paymentCents, line.balanceCents)
  row(document.to, "Closing balance", 0, 0, closingCents, true)
}
