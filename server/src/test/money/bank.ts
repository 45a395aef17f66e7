import { addDays, type Day, minDay } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { statementFiles, type WrittenLine } from "../../banking/statement-files.samples.ts"

interface SimulatedAccount {
  id: string
  accountNumber: string
  isMain: boolean
  /** Only the fnb format has a balance per line. */
  format: "fnb" | "camt053"
  openingCents: Cents
  lines: WrittenLine[]
  files: Map<string, Pick<BankFile, "from" | "upTo">>
}

export interface BankFile {
  content: string
  from: number
  upTo: number
}

/** Simulated bank: its accounts are the truth, and each file has a contiguous range of lines. */
export class Bank {
  readonly accounts: SimulatedAccount[]
  #day: Day = "2026-08-03"

  constructor(accounts: Omit<SimulatedAccount, "lines" | "files">[]) {
    this.accounts = accounts.map((account) => ({ ...account, lines: [], files: new Map() }))
  }

  turn(ahead: number, today: Day): Day {
    this.#day = minDay(addDays(this.#day, ahead), today)
    return this.#day
  }

  /**
   * The account's lines, from `back` days before the first line not yet imported. Files overlap, and one day can have
   * equal lines.
   */
  file(account: SimulatedAccount, back: number): BankFile {
    const { lines, accountNumber, format } = account
    const had = deliveredLines(account)
    const first = lines.find((line) => !had.has(line)) ?? lines.at(-1)!
    const from = addDays(first.day, -back)
    const before = lines.filter(({ day }) => day < from)
    const openingCents = account.openingCents + before.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const statement = { accountNumber, openingCents, lines: lines.slice(before.length) }
    return { content: statementFiles[format](statement), from: before.length, upTo: lines.length }
  }
}

export const deliveredLines = ({ lines, files }: SimulatedAccount): Set<WrittenLine> =>
  new Set([...files.values()].flatMap(({ from, upTo }) => lines.slice(from, upTo)))
