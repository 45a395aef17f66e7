import { addDays, type Day, minDay } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { statementFiles, type WrittenLine } from "../../banking/statement-files.samples.ts"

/** An account as the bank keeps it: its lines in their order, and how many of them the house has had. */
interface KeptAccount {
  id: string
  accountNumber: string
  isMain: boolean
  /** A bank writes its statements in one way: this one with the balance of each line, the other without. */
  format: "fnb" | "camt053"
  openingCents: Cents
  lines: WrittenLine[]
  delivered: number
}

/** A file of the bank, and how far it goes. */
export interface BankFile {
  content: string
  upTo: number
}

/** The bank: what has happened on its accounts is true, and its files hold whole stretches of that. */
export class Bank {
  readonly accounts: KeptAccount[]
  #day: Day = "2026-08-03"

  constructor(accounts: Omit<KeptAccount, "lines" | "delivered">[]) {
    this.accounts = accounts.map((account) => ({ ...account, lines: [], delivered: 0 }))
  }

  /** The day on which the next lines are booked: `ahead` days later, today at the latest. */
  turn(ahead: number, today: Day): Day {
    this.#day = minDay(addDays(this.#day, ahead), today)
    return this.#day
  }

  /**
   * All lines of an account from a day on. It begins no later than the first line that nobody has had, and `back` days
   * earlier: such files overlap, and two lines of one day may be alike.
   */
  file(account: KeptAccount, back: number): BankFile {
    const { lines, delivered, accountNumber, format } = account
    const first = lines[Math.min(delivered, lines.length - 1)]!
    const from = addDays(first.day, -back)
    const before = lines.filter(({ day }) => day < from)
    const openingCents = account.openingCents + before.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const statement = { accountNumber, openingCents, lines: lines.slice(before.length) }
    return { content: statementFiles[format](statement), upTo: lines.length }
  }
}
