import { type Day, type DayFormat, formatDay } from "@milkwood/domain/kernel/calendar"
import { type Cents, formatRand } from "@milkwood/domain/kernel/money"
import type { Organisation } from "@milkwood/domain/platform/organisation-shape"
import { a4, ink, muted, type Sheet, teal } from "../platform/pdf/pdf-sheet.ts"
import type { PdfTemplate } from "../platform/pdf/pdf-worker.ts"

/** What an invoice says, as plain data. It names members but never their ID numbers: it leaves the house by mail. */
export interface InvoiceDocument {
  organisation: Organisation
  dateFormat: DayFormat
  createdAt: string
  /** Not sent yet, or cancelled: says so across every page. */
  mark: "DRAFT" | "CANCELLED" | null
  number: string
  invoiceOn: Day
  dueOn: Day
  periodStartOn: Day
  periodEndOn: Day
  billTo: { groupName: string; contactName: string; contactEmail: string; vatNumber: string; address: string }
  policyNumber: string
  lines: { description: string; memberNumber: string | null; quantity: number; unitCents: Cents; totalCents: Cents }[]
  subtotalCents: Cents
  discountCents: Cents
  vatPercent: number
  vatCents: Cents
  totalCents: Cents
  notes: string
}

const left = 48
const right = a4.width - 48
const width = right - left
const bottom = a4.height - 64
const columns = {
  // Right-aligned and wide enough for a hundred thousand lines.
  number: { x: left, width: 42 },
  description: { x: left + 52, width: 178 },
  member: { x: left + 236, width: 64 },
  quantity: { x: left + 301, width: 38 },
  unit: { x: left + 343, width: 72 },
  total: { x: right - 80, width: 80 },
} as const

/** A tax invoice for the South African Revenue Service where the organisation is registered for VAT. */
const titleOf = (document: InvoiceDocument) => (document.organisation.vatNumber ? "Tax invoice" : "Invoice")

const template: PdfTemplate<InvoiceDocument> = {
  about: (document) => ({
    title: `${titleOf(document)} ${document.number}`,
    author: document.organisation.name,
    createdAt: document.createdAt,
  }),
  draw(sheet, document) {
    newPage(sheet, document)
    let y = letterhead(sheet, document)
    y = parties(sheet, document, y)
    y = payment(sheet, document, y)
    y = table(sheet, document, y)
    y = totals(sheet, document, y)
    notes(sheet, document, y)
    sheet.onEachPage((page, pages) => footer(sheet, document, page, pages))
  },
}
export default template

function newPage(sheet: Sheet, document: InvoiceDocument): void {
  sheet.addPage()
  if (document.mark) sheet.watermark(document.mark)
  sheet.box(0, 0, a4.width, 6, teal)
}

function letterhead(sheet: Sheet, document: InvoiceDocument): number {
  const { organisation } = document
  const half = width / 2 - 12
  const name = sheet.wrap(organisation.name, half, { size: 17, weight: "bold" })
  let y = sheet.lines(name, left, 44, 21, { size: 17, weight: "bold", color: teal })
  const address = organisation.address ? sheet.wrap(organisation.address, half, { size: 8.5 }) : []
  y = sheet.lines(address, left, y + 4, 12, { size: 8.5, color: muted })
  if (organisation.vatNumber) {
    sheet.text(`VAT registration number ${organisation.vatNumber}`, left, y, { size: 8.5, color: muted })
    y += 12
  }
  sheet.text(titleOf(document), left, 44, { size: 21, weight: "bold", align: "right", width })
  sheet.text(document.number, left, 72, { size: 11, color: muted, align: "right", width })
  return Math.max(y, 96) + 22
}

function parties(sheet: Sheet, document: InvoiceDocument, top: number): number {
  const { billTo } = document
  const day = (on: Day) => formatDay(on, document.dateFormat)
  const half = width / 2 - 24
  const label = { size: 7.5, weight: "bold", color: muted } as const

  sheet.text("BILL TO", left, top, label)
  let y = sheet.lines(sheet.wrap(billTo.groupName, half, { size: 11, weight: "bold" }), left, top + 13, 15, {
    size: 11,
    weight: "bold",
  })
  const about = [billTo.contactName, billTo.contactEmail, billTo.vatNumber && `VAT number ${billTo.vatNumber}`]
  if (billTo.address) y = sheet.lines(sheet.wrap(billTo.address, half), left, y, 13, { color: muted })
  for (const line of about.filter(Boolean)) y = sheet.lines(sheet.wrap(line, half), left, y, 13, { color: muted })

  const facts: [string, string][] = [
    ["Policy number", document.policyNumber],
    ["Invoice date", day(document.invoiceOn)],
    ["Due date", day(document.dueOn)],
    ["Period", `${day(document.periodStartOn)} to ${day(document.periodEndOn)}`],
  ]
  const x = left + width / 2 + 12
  facts.forEach(([name, value], index) => {
    sheet.text(name, x, top + index * 16, { color: muted })
    sheet.text(value, x, top + index * 16, { weight: "bold", align: "right", width: right - x })
  })
  const factsEnd = top + facts.length * 16 + 6
  sheet.box(x, factsEnd, right - x, 34, "#e9f3f2", 4)
  sheet.text("Total due", x + 10, factsEnd + 11, { size: 9.5, color: teal })
  sheet.text(formatRand(document.totalCents), x, factsEnd + 8.5, {
    size: 13,
    weight: "bold",
    color: teal,
    align: "right",
    width: right - x - 10,
  })
  return Math.max(y, factsEnd + 34) + 24
}

function tableHead(sheet: Sheet, y: number): number {
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

function table(sheet: Sheet, document: InvoiceDocument, top: number): number {
  let y = tableHead(sheet, top)
  document.lines.forEach((line, index) => {
    const description = sheet.wrap(line.description, columns.description.width)
    const height = description.length * 12 + 8
    if (y + height > bottom) {
      newPage(sheet, document)
      sheet.text(`${document.number}, continued`, left, 30, { size: 8.5, color: muted })
      y = tableHead(sheet, 48)
    }
    const at = y + 4.5
    const { number, member } = columns
    sheet.text(String(index + 1), number.x, at, { color: muted, align: "right", width: number.width })
    sheet.lines(description, columns.description.x, at, 12)
    if (line.memberNumber) sheet.text(line.memberNumber, member.x, at, { color: muted })
    sheet.text(String(line.quantity), columns.quantity.x, at, { align: "right", width: columns.quantity.width })
    sheet.text(formatRand(line.unitCents), columns.unit.x, at, { align: "right", width: columns.unit.width })
    sheet.text(formatRand(line.totalCents), columns.total.x, at, { align: "right", width: columns.total.width - 8 })
    y += height
    sheet.rule(left, y, width)
  })
  return y + 14
}

/** Keeps a block together: where it does not fit under `y`, on a new page. */
function room(sheet: Sheet, document: InvoiceDocument, y: number, height: number): number {
  if (y + height <= bottom) return y
  newPage(sheet, document)
  return 48
}

function totals(sheet: Sheet, document: InvoiceDocument, top: number): number {
  const x = columns.quantity.x - 24
  const rows: [string, string][] = [
    ["Subtotal", formatRand(document.subtotalCents)],
    [`VAT (${String(document.vatPercent).replace(".", ",")}%)`, formatRand(document.vatCents)],
  ]
  if (document.discountCents > 0) rows.push(["Discount", formatRand(-document.discountCents)])
  let y = room(sheet, document, top, rows.length * 17 + 40)
  for (const [name, value] of rows) {
    sheet.text(name, x, y, { color: muted })
    sheet.text(value, x, y, { align: "right", width: right - x - 8 })
    y += 17
  }
  sheet.rule(x, y, right - x, teal, 1)
  sheet.text("Total amount", x, y + 8, { size: 11, weight: "bold" })
  sheet.text(formatRand(document.totalCents), x, y + 7, {
    size: 12.5,
    weight: "bold",
    color: teal,
    align: "right",
    width: right - x - 8,
  })
  return y + 40
}

/** How to pay stands above the lines: on page 1, however many pages they take. */
function payment(sheet: Sheet, document: InvoiceDocument, top: number): number {
  const { bankAccount } = document.organisation
  const facts: [string, string][] = [
    ["Bank", bankAccount.bank],
    ["Account holder", bankAccount.accountHolder],
    ["Account number", bankAccount.accountNumber],
    ["Branch code", bankAccount.branchCode],
    ["Your reference", document.number],
  ]
  const shown = facts.filter(([, value]) => value !== "")
  const height = shown.length * 15 + 38
  const y = top
  sheet.box(left, y, width, height, "#f4f6f8", 5)
  sheet.text("How to pay", left + 14, y + 11, { weight: "bold", color: teal, size: 9.5 })
  shown.forEach(([name, value], index) => {
    sheet.text(name, left + 14, y + 30 + index * 15, { color: muted })
    sheet.text(value, left + 120, y + 30 + index * 15, name === "Your reference" ? { weight: "bold" } : {})
  })
  return y + height + 18
}

function notes(sheet: Sheet, document: InvoiceDocument, top: number): void {
  if (!document.notes) return
  let y = room(sheet, document, top, 40)
  sheet.text("Notes", left, y, { weight: "bold", color: teal, size: 9.5 })
  y += 16
  for (const line of sheet.wrap(document.notes, width)) {
    y = room(sheet, document, y, 13)
    sheet.text(line, left, y, { color: ink })
    y += 13
  }
}

function footer(sheet: Sheet, document: InvoiceDocument, page: number, pages: number): void {
  const { organisation } = document
  const style = { size: 7.5, color: muted } as const
  const about = [organisation.name, organisation.vatNumber && `VAT ${organisation.vatNumber}`]
    .filter(Boolean)
    .join("  ·  ")
  sheet.rule(left, a4.height - 46, width)
  sheet.text(sheet.wrap(about, width - 80, style)[0]!, left, a4.height - 38, style)
  sheet.text(`Page ${page} of ${pages}`, left, a4.height - 38, { ...style, align: "right", width })
}
