import { vatText } from "@milkwood/domain/benefits/vat"
import { discountText, type VatPart } from "@milkwood/domain/billing/invoice-totals"
import { type BilledPart, type LineToPrint, type PrintedRow, printedParts } from "@milkwood/domain/billing/paper-lines"
import { type Day, type DayFormat, daysBetween, formatDay, formatMonth } from "@milkwood/domain/kernel/calendar"
import { amountTitle, type Cents, type Currency, formatMoney } from "@milkwood/domain/kernel/money"
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
import { ink, muted, type Sheet, teal } from "../platform/pdf/pdf-sheet.ts"
import type { PdfTemplate } from "../platform/pdf/pdf-worker.ts"

/** The PDF is mailed, so it has names but never ID numbers. */
export interface InvoiceDocument {
  organisation: Letterhead
  dateFormat: DayFormat
  currency: Currency
  createdAt: string
  /** A watermark on every page. */
  mark: "DRAFT" | "CANCELLED" | "COPY" | null
  /** Date of a copy's amounts; null on the original. */
  copyOn: Day | null
  number: string
  invoiceOn: Day
  dueOn: Day
  periodStartOn: Day
  periodEndOn: Day
  billTo: Addressee
  policyNumber: string
  lines: LineToPrint[]
  parts: BilledPart[]
  subtotalCents: Cents
  discountCents: Cents
  discountPercent: number | null
  discountReason: string
  vatCents: Cents
  /** VAT per rate, in line order. */
  vat: readonly VatPart[]
  totalCents: Cents
  creditedCents: Cents
  /** By credit when sent; on a copy also by receipts. */
  paidCents: Cents
  writtenOffCents: Cents
  notes: string
}

const { left, right, width, bottom } = pageBounds
const columns = {
  // Line numbers are right-aligned and fit the highest number.
  number: { x: left, width: 28 },
  description: { x: left + 36, width: 200 },
  member: { x: left + 242, width: 62 },
  quantity: { x: left + 301, width: 38 },
  unit: { x: left + 343, width: 72 },
  total: { x: right - 80, width: 80 },
} as const

/** A tax invoice if VAT-registered (South African Revenue Service). */
const documentTitleOf = ({ organisation, mark }: InvoiceDocument) =>
  `${organisation.vatNumber ? "Tax invoice" : "Invoice"}${mark === "COPY" ? ", copy" : ""}`

const template: PdfTemplate<InvoiceDocument> = {
  about: (document) => ({
    title: `${documentTitleOf(document)} ${document.number}`,
    author: document.organisation.name,
    createdAt: document.createdAt,
  }),
  draw(sheet, document) {
    addPage(sheet, document.mark)
    const top = letterhead(sheet, document.organisation, documentTitleOf(document), document.number)
    let y = drawParties(sheet, document, top)
    // The payment instructions are always on page 1.
    y = drawPaymentInstructions(sheet, document.organisation, document.number, y)
    y = drawSummary(sheet, document, y)
    y = drawTable(sheet, document, y)
    y = drawTotals(sheet, document, y)
    drawNotes(sheet, document, y)
    drawFooters(sheet, document.organisation)
  },
}
export default template

function drawParties(sheet: Sheet, document: InvoiceDocument, top: number): number {
  const day = (on: Day) => formatDay(on, document.dateFormat)
  const under = drawAddressee(sheet, "BILL TO", document.billTo, top)
  const rows: [string, string][] = [
    ["Policy number", document.policyNumber],
    ["Invoice date", day(document.invoiceOn)],
    ["Due date", day(document.dueOn)],
    ["Payment terms", paymentTermsOf(document)],
    ["Period", `${day(document.periodStartOn)} to ${day(document.periodEndOn)}`],
    ...(document.copyOn ? ([["Amounts as at", day(document.copyOn)]] as [string, string][]) : []),
  ]
  return (
    Math.max(
      under,
      drawFacts(sheet, rows, top, { label: "Amount due", cents: amountDue(document), currency: document.currency }),
    ) + 24
  )
}

export const amountDue = ({ totalCents, creditedCents, paidCents, writtenOffCents }: InvoiceDocument): Cents =>
  totalCents - creditedCents - paidCents - writtenOffCents

/** Draws the summary, unless no line has a month. */
function drawSummary(sheet: Sheet, document: InvoiceDocument, top: number): number {
  const { parts, currency } = document
  if (parts.every(({ month }) => month === null)) return top
  const people = { x: right - 152, width: 64 }
  const net = { x: right - 88, width: 80 }
  const reason = { x: left + 100, width: people.x - left - 112 }
  sheet.text("Summary of charges", left, top, { weight: "bold", color: teal, size: 9.5 })
  const small = { size: 7.5, weight: "bold", color: muted } as const
  sheet.text("MEMBERS", people.x, top + 2, { ...small, align: "right", width: people.width })
  sheet.text("EXCL. VAT", net.x, top + 2, { ...small, align: "right", width: net.width })
  let y = top + 17
  for (const part of parts) {
    const words = sheet.wrap(partTitle(part), reason.width)
    const height = words.length * 12 + 6
    y = ensureRoom(sheet, document, y, height)
    sheet.rule(left, y, width)
    const at = y + 3.5
    if (part.month) sheet.text(formatMonth(part.month), left, at, { weight: part.reason ? "regular" : "bold" })
    sheet.lines(words, reason.x, at, 12, { color: part.reason ? ink : muted })
    if (part.people > 0) sheet.text(String(part.people), people.x, at, { align: "right", width: people.width })
    sheet.text(formatMoney(part.netCents, currency), net.x, at, { align: "right", width: net.width })
    y += height
  }
  sheet.rule(left, y, width)
  return y + 18
}

const partTitle = ({ month, reason }: BilledPart): string =>
  reason ? `Adjustment: ${reason}` : month ? "Premium" : "Other lines"

/** "30 days" */
function paymentTermsOf({ invoiceOn, dueOn }: InvoiceDocument): string {
  const days = daysBetween(invoiceOn, dueOn)
  return days === 0 ? "On the invoice date" : `${days} ${days === 1 ? "day" : "days"}`
}

function drawTableHead(sheet: Sheet, y: number): number {
  const style = { size: 7.5, weight: "bold", color: "#ffffff" } as const
  sheet.box(left, y, width, 21, teal, 3)
  const at = y + 6.2
  sheet.text("#", columns.number.x, at, { ...style, align: "right", width: columns.number.width })
  sheet.text("DESCRIPTION", columns.description.x, at, style)
  sheet.text("MEMBER", columns.member.x, at, style)
  sheet.text("QTY", columns.quantity.x, at, { ...style, align: "right", width: columns.quantity.width })
  sheet.text("UNIT PRICE", columns.unit.x, at, { ...style, align: "right", width: columns.unit.width })
  sheet.text("TOTAL", columns.total.x, at, { ...style, align: "right", width: columns.total.width - 8 })
  return y + 21
}

/** Repeats a cause heading on every page. */
function drawTable(sheet: Sheet, document: InvoiceDocument, top: number): number {
  let y = drawTableHead(sheet, top)
  let count = 0
  const turn = (): void => {
    startContinuationPage(sheet, document)
    y = drawTableHead(sheet, 48)
  }
  for (const { cause, rows } of printedParts(document.lines, document.currency)) {
    const heading = cause === null ? [] : sheet.wrap(cause, causeWidth, causeStyle)
    const headingHeight = cause === null ? 0 : heading.length * 12 + 8
    const [leading, padding] = cause === null ? [12, 7] : [12, 4]
    const head = (): void => {
      if (cause === null) return
      sheet.lines(heading, columns.description.x, y + 6, 12, causeStyle)
      y += headingHeight
    }
    rows.forEach((row, index) => {
      const description = sheet.wrap(row.description, columns.description.width)
      const height = description.length * leading + padding
      // Never leaves a cause heading without a row below it.
      if (y + height + (index === 0 ? headingHeight : 0) > bottom) {
        turn()
        head()
      } else if (index === 0) head()
      printRow(sheet, ++count, row, description, y + padding / 2 + 0.5, document.currency)
      y += height
      if (cause === null || index === rows.length - 1) sheet.rule(left, y, width)
    })
  }
  return y + 14
}

const causeStyle = { size: 8.5, weight: "bold" } as const
const causeWidth = right - columns.description.x - 8

function printRow(
  sheet: Sheet,
  place: number,
  row: PrintedRow,
  description: readonly string[],
  at: number,
  currency: Currency,
): void {
  const { number, member, quantity, unit, total } = columns
  sheet.text(String(place), number.x, at, { color: muted, align: "right", width: number.width })
  sheet.lines(description, columns.description.x, at, 12)
  if (row.memberNumber) sheet.text(row.memberNumber, member.x, at, { color: muted })
  sheet.text(String(row.quantity), quantity.x, at, { align: "right", width: quantity.width })
  sheet.text(formatMoney(row.unitCents, currency), unit.x, at, { align: "right", width: unit.width })
  sheet.text(formatMoney(row.totalCents, currency), total.x, at, { align: "right", width: total.width - 8 })
}

function startContinuationPage(sheet: Sheet, document: InvoiceDocument): void {
  addPage(sheet, document.mark)
  sheet.text(`${document.number}, continued`, left, 30, { size: 8.5, color: muted })
}

function ensureRoom(sheet: Sheet, document: InvoiceDocument, y: number, height: number): number {
  if (y + height <= bottom) return y
  startContinuationPage(sheet, document)
  return 48
}

/** "VAT (15%)" or "VAT (Exempt)"; with the net amount for several rates. */
function vatTitle(part: VatPart, several: boolean, currency: Currency): string {
  return `VAT (${vatText(part)}${several ? ` of ${formatMoney(part.netCents, currency)}` : ""})`
}

function drawTotals(sheet: Sheet, document: InvoiceDocument, top: number): number {
  const x = columns.quantity.x - 24
  const rows: [string, string][] = [
    ["Subtotal", formatMoney(document.subtotalCents, document.currency)],
    ...document.vat.map((part): [string, string] => [
      vatTitle(part, document.vat.length > 1, document.currency),
      formatMoney(part.vatCents, document.currency),
    ]),
  ]
  const discounted = document.discountCents > 0
  if (discounted)
    rows.push([discountText(document.discountPercent), formatMoney(-document.discountCents, document.currency)])
  const small = { size: 8, color: muted } as const
  const reason = discounted && document.discountReason ? sheet.wrap(document.discountReason, right - x - 8, small) : []
  const after = [
    { name: "Credited", cents: -document.creditedCents },
    { name: document.copyOn ? "Paid" : "Paid from your credit", cents: -document.paidCents },
    { name: "Written off", cents: -document.writtenOffCents },
  ].filter(({ cents }) => cents !== 0)
  const afterHeight = after.length === 0 ? 0 : (after.length + 1) * 16
  let y = ensureRoom(sheet, document, top, rows.length * 17 + reason.length * 11 + 40 + afterHeight)
  for (const [name, value] of rows) {
    sheet.text(name, x, y, { color: muted })
    sheet.text(value, x, y, { align: "right", width: right - x - 8 })
    y += 17
  }
  // The discount is printed last, with its reason below.
  if (reason.length > 0) y = sheet.lines(reason, x, y - 3, 11, small) + 5
  sheet.rule(x, y, right - x, teal, 1)
  sheet.text(amountTitle("Total amount", document.currency), x, y + 8, { size: 11, weight: "bold" })
  sheet.text(formatMoney(document.totalCents, document.currency), x, y + 7, {
    size: 12.5,
    weight: "bold",
    color: teal,
    align: "right",
    width: right - x - 8,
  })
  if (after.length === 0) return y + 40
  for (const [index, { name, cents }] of [...after, { name: "Amount due", cents: amountDue(document) }].entries()) {
    const isLast = index === after.length
    const style = { weight: isLast ? "bold" : "regular", color: isLast ? ink : muted } as const
    sheet.text(name, x, y + 29 + index * 16, style)
    sheet.text(formatMoney(cents, document.currency), x, y + 29 + index * 16, {
      ...style,
      align: "right",
      width: right - x - 8,
    })
  }
  return y + 40 + afterHeight
}

function drawNotes(sheet: Sheet, document: InvoiceDocument, top: number): void {
  if (!document.notes) return
  let y = ensureRoom(sheet, document, top, 40)
  sheet.text("Notes", left, y, { weight: "bold", color: teal, size: 9.5 })
  y += 16
  for (const line of sheet.wrap(document.notes, width)) {
    y = ensureRoom(sheet, document, y, 13)
    sheet.text(line, left, y, { color: ink })
    y += 13
  }
}
