import { statementLimits } from "@milkwood/domain/banking/statement"
import { unreadableFile } from "../platform/files/unreadable.ts"

/** Throws `Unreadable` above the limit; unreadable entries count too. */
export function expectFewLines(count: number): void {
  if (count > statementLimits.lines) {
    throw unreadableFile(`The file has more than ${statementLimits.lines} lines. Download shorter periods.`)
  }
}
