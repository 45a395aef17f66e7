import { addDays, type Day, minDay } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { statementFiles, type WrittenLine } from "../../banking/statement-files.samples.ts"

/** An account as the bank keeps it: its lines in their order, and which of them the house has. */
interface KeptAccount {
  id: string
  accountNumber: string
  isMain: boolean
  /** A bank writes its statements in one way: this one with the balance of each line, the other without. */
  format: "fnb" | "camt053"
  openingCents: Cents
  lines: WrittenLine[]
  /** The files that the house has and that were not undone, by the ids of their statements. */
  files: Map<string, Pick<BankFile, "from" | "upTo">>
}

/** A file of the bank, and which lines it has: from this place up to that one. */
export interface BankFile {
  content: string
  from: number
  upTo: number
}

/** The bank: what has happened on its accounts is true, and its files hold whole stretches of that. */
export class Bank {
  readonly accounts: KeptAccount[]
  #day: Day = "2026-08-03"

  constructor(accounts: Omit<KeptAccount, "lines" | "files">[]) {
    this.accounts = accounts.map((account) => ({ ...account, lines: [], files: new Map() }))
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
    const { lines, accountNumber, format } = account
    const had = linesHad(account)
    const first = lines.find((line) => !had.has(line)) ?? lines.at(-1)!
    const from = addDays(first.day, -back)
    const before = lines.filter(({ day }) => day < from)
    const openingCents = account.openingCents + before.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const statement = { accountNumber, openingCents, lines: lines.slice(before.length) }
    return { content: statementFiles[format](statement), from: before.length, upTo: lines.length }
  }
}

/** The lines that the house has of an account: all those of each file that stands. */
export const linesHad = ({ lines, files }: KeptAccount): Set<WrittenLine> =>
  new Set([...files.values()].flatMap(({ from, upTo }) => lines.slice(from, upTo)))
