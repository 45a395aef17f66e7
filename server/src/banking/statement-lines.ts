import { statementLimits } from "@milkwood/domain/banking/statement"
import { unreadable } from "../platform/files/unreadable.ts"

/** Throws `Unreadable` for a file of more lines than one may have; entries that cannot be read count as well. */
export function expectFewLines(count: number): void {
  if (count > statementLimits.lines) {
    throw unreadable(`The file has more than ${statementLimits.lines} lines. Download shorter periods.`)
  }
}
