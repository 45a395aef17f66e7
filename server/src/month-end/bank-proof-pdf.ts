import { type AccountProof, type BankProof, type ProofItem, proofKindNames } from "@milkwood/domain/banking/bank-proof"
import { type Day, type DayFormat, formatDay, formatMonth, todayInTimezone } from "@milkwood/domain/kernel/calendar"
import { type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import { addPage, drawFooters, type Letterhead, letterhead, pageBounds } from "../platform/pdf/letter.ts"
import { muted, type Sheet, teal } from "../platform/pdf/pdf-sheet.ts"
import type { PdfTemplate } from "../platform/pdf/pdf-worker.ts"

export interface BankProofDocument {
  organisation: Letterhead
  dateFormat: DayFormat
  currency: Currency
  timezone: string
  createdAt: string
  /** Null if the reconciliation is not signed. */
  closed: { at: string; by: string } | null
  proof: BankProof
}

const { left, right, width, bottom } = pageBounds
const title = "Bank reconciliation"

const template: PdfTemplate<BankProofDocument> = {
  about: (document) => ({
    title: `${title} ${formatMonth(document.proof.month)}`,
    author: document.organisation.name,
    createdAt: document.createdAt,
  }),
  draw(sheet, document) {
    const { proof, closed } = document
    const page = new Page(sheet, document)
    addPage(sheet)
    page.y = letterhead(sheet, document.organisation, title, `as at ${page.day(proof.day)}`)
    const [at, words] = closed
      ? [closed.at, `Signed at the closing of ${formatMonth(proof.month)} by ${closed.by} on`]
      : [document.createdAt, "Not signed. Created on"]
    const instant = Temporal.Instant.from(at)
    const time = instant.toZonedDateTimeISO(document.timezone).toPlainTime().toString({ smallestUnit: "minute" })
    sheet.text(`${words} ${page.day(todayInTimezone(instant, document.timezone))} at ${time}`, left, page.y, {
      color: muted,
    })
    page.y += 24
    for (const account of proof.accounts) page.account(account)
    if (proof.accounts.length === 0) page.line("No bank account is set up.", null)
    page.room(70)
    page.y += 6
    page.line("Ledger bank balance, all accounts", proof.ledgerCents, "bold")
    page.line("Undeposited cash, cheques and cards (separate ledger account)", proof.undepositedCents)
    drawFooters(sheet, document.organisation)
  },
}
export default template

class Page {
  y = 0
  readonly #sheet: Sheet
  readonly #document: BankProofDocument

  constructor(sheet: Sheet, document: BankProofDocument) {
    this.#sheet = sheet
    this.#document = document
  }

  day = (on: Day): string => formatDay(on, this.#document.dateFormat)
  money = (cents: number): string => formatMoney(cents, this.#document.currency)

  /** Starts a new page if `height` does not fit. */
  room(height: number): void {
    if (this.y + height <= bottom) return
    addPage(this.#sheet)
    const words = `${title} as at ${this.day(this.#document.proof.day)}, continued`
    this.#sheet.text(words, left, 30, { size: 8.5, color: muted })
    this.y = 50
  }

  line(words: string, cents: number | null, style: "plain" | "bold" | "muted" = "plain"): void {
    this.room(18)
    const text = { ...(style === "bold" && { weight: "bold" as const }), ...(style === "muted" && { color: muted }) }
    this.#sheet.text(words, left, this.y, text)
    if (cents !== null)
      this.#sheet.text(this.money(cents), right - 130, this.y, { ...text, align: "right", width: 130 })
    this.y += 16
  }

  account(account: AccountProof): void {
    const { name, bank, accountNumber, statement, groups, expectedCents, ledgerCents, unexplainedCents } = account
    this.room(90)
    this.#sheet.text(name, left, this.y, { size: 12, weight: "bold", color: teal })
    this.#sheet.text(`${bank} ${accountNumber}`, left, this.y + 2, { align: "right", width, color: muted })
    this.y += 22
    const on = this.day(this.#document.proof.day)
    if (statement === null)
      this.line(`No statement starts on or before ${on}: the ledger balance cannot be verified.`, null)
    else {
      this.line(`Statement balance on ${on}`, statement.cents, "bold")
      const source = statement.number === null ? "sum of lines (no file states a balance)" : statement.number
      const last = statement.lastLineOn === null ? "no line yet" : `last line on ${this.day(statement.lastLineOn)}`
      this.line(`Source: ${source}, ${last}`, null, "muted")
      for (const { kind, cents, items } of groups) {
        this.room(48)
        this.line(`${proofKindNames[kind]}${items.length > 0 ? ` (${items.length})` : ""}`, cents)
        for (const item of items) this.#item(item)
        if (items.length > 0) this.y += 3
      }
      this.#rule()
      this.line(`Expected ledger balance on ${on}`, expectedCents, "bold")
    }
    this.line(`Ledger balance on ${on}`, ledgerCents, "bold")
    this.line(statement === null ? "Not verified" : "Unexplained difference", unexplainedCents, "bold")
    this.#rule()
    this.y += 12
  }

  #rule(): void {
    this.#sheet.rule(left, this.y - 2, width)
    this.y += 4
  }

  #item({ on, number, name, countsOn, amountCents }: ProofItem): void {
    const words = countsOn === null ? name : `${name} (posted on ${this.day(countsOn)})`
    const wrapped = this.#sheet.wrap(words, 165, { size: 8.5 })
    this.room(wrapped.length * 11 + 3)
    const small = { size: 8.5, color: muted }
    this.#sheet.text(this.day(on), left + 10, this.y, small)
    this.#sheet.text(number, left + 72, this.y, small)
    this.#sheet.lines(wrapped, left + 170, this.y, 11, small)
    this.#sheet.text(this.money(amountCents), right - 215, this.y, { ...small, align: "right", width: 120 })
    this.y += wrapped.length * 11 + 3
  }
}
