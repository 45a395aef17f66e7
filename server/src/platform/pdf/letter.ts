import { amountTitle, type Cents, type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import { printedLogoSize } from "@milkwood/domain/platform/logo"
import type { Organisation } from "@milkwood/domain/platform/organisation-shape"
import { a4, muted, type Sheet, teal } from "./pdf-sheet.ts"

export const pageBounds = (() => {
  const left = 48
  const right = a4.width - 48
  return { left, right, width: right - left, bottom: a4.height - 64 }
})()
const { left, right, width } = pageBounds

/** PNG or JPEG; size in pixels. */
export interface Logo {
  image: Uint8Array
  width: number
  height: number
}

export interface Letterhead extends Organisation {
  logo: Logo | null
}

export interface Addressee {
  groupName: string
  contactName: string
  contactEmail: string
  registrationNumber: string
  vatNumber: string
  address: string
}

export function addPage(sheet: Sheet, mark: string | null = null): void {
  sheet.addPage()
  if (mark) sheet.watermark(mark)
  sheet.box(0, 0, a4.width, 6, teal)
}

/** Returns the y position below the letterhead. */
export function letterhead(sheet: Sheet, organisation: Letterhead, title: string, number: string): number {
  const half = width / 2 - 12
  let nameTop = 44
  if (organisation.logo) {
    const size = printedLogoSize(organisation.logo)
    sheet.picture(organisation.logo.image, left, 28, size)
    nameTop = 28 + size.height + 10
  }
  const name = sheet.wrap(organisation.name, half, { size: 17, weight: "bold" })
  let y = sheet.lines(name, left, nameTop, 21, { size: 17, weight: "bold", color: teal })
  const address = organisation.address ? sheet.wrap(organisation.address, half, { size: 8.5 }) : []
  y = sheet.lines(address, left, y + 4, 12, { size: 8.5, color: muted })
  if (organisation.vatNumber) {
    sheet.text(`VAT registration number ${organisation.vatNumber}`, left, y, { size: 8.5, color: muted })
    y += 12
  }
  sheet.text(title, left, 44, { size: 21, weight: "bold", align: "right", width })
  sheet.text(number, left, 72, { size: 11, color: muted, align: "right", width })
  return Math.max(y, 96) + 22
}

export function drawAddressee(sheet: Sheet, label: string, to: Addressee, top: number): number {
  const half = width / 2 - 24
  sheet.text(label, left, top, { size: 7.5, weight: "bold", color: muted })
  let y = sheet.lines(sheet.wrap(to.groupName, half, { size: 11, weight: "bold" }), left, top + 13, 15, {
    size: 11,
    weight: "bold",
  })
  const about = [
    to.contactName,
    to.contactEmail,
    to.registrationNumber && `Registration number ${to.registrationNumber}`,
    to.vatNumber && `VAT number ${to.vatNumber}`,
  ]
  if (to.address) y = sheet.lines(sheet.wrap(to.address, half), left, y, 13, { color: muted })
  for (const line of about.filter(Boolean)) y = sheet.lines(sheet.wrap(line, half), left, y, 13, { color: muted })
  return y
}

export function drawFacts(
  sheet: Sheet,
  rows: readonly [name: string, value: string][],
  top: number,
  { label, cents, currency }: { label: string; cents: Cents; currency: Currency },
): number {
  const x = left + width / 2 + 12
  rows.forEach(([name, value], index) => {
    sheet.text(name, x, top + index * 16, { color: muted })
    sheet.text(value, x, top + index * 16, { weight: "bold", align: "right", width: right - x })
  })
  const end = top + rows.length * 16 + 6
  sheet.box(x, end, right - x, 34, "#e9f3f2", 4)
  sheet.text(amountTitle(label, currency), x + 10, end + 11, { size: 9.5, color: teal })
  const amount = formatMoney(cents, currency)
  sheet.text(amount, x, end + 8.5, { size: 13, weight: "bold", color: teal, align: "right", width: right - x - 10 })
  return end + 34
}

/** Draws payment instructions on page 1. Returns the y position below them. */
export function drawPaymentInstructions(
  sheet: Sheet,
  { bankAccount }: Organisation,
  reference: string,
  top: number,
): number {
  const rows: [string, string][] = [
    ["Bank", bankAccount.bank],
    ["Account holder", bankAccount.accountHolder],
    ["Account number", bankAccount.accountNumber],
    ["Branch code", bankAccount.branchCode],
    ["Your reference", reference],
  ]
  const shown = rows.filter(([, value]) => value !== "")
  const height = shown.length * 15 + 38
  sheet.box(left, top, width, height, "#f4f6f8", 5)
  sheet.text("How to pay", left + 14, top + 11, { weight: "bold", color: teal, size: 9.5 })
  shown.forEach(([name, value], index) => {
    sheet.text(name, left + 14, top + 30 + index * 15, { color: muted })
    sheet.text(value, left + 120, top + 30 + index * 15, name === "Your reference" ? { weight: "bold" } : {})
  })
  return top + height + 18
}

export function drawFooters(sheet: Sheet, organisation: Organisation): void {
  const style = { size: 7.5, color: muted } as const
  const about = [organisation.name, organisation.vatNumber && `VAT ${organisation.vatNumber}`]
    .filter(Boolean)
    .join("  ·  ")
  sheet.onEachPage((page, pages) => {
    sheet.rule(left, a4.height - 46, width)
    sheet.text(sheet.wrap(about, width - 80, style)[0]!, left, a4.height - 38, style)
    sheet.text(`Page ${page} of ${pages}`, left, a4.height - 38, { ...style, align: "right", width })
  })
}
