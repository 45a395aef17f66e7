import { readFileSync } from "node:fs"
import type { StatementContent } from "@milkwood/domain/banking/statement"
import type { Currency } from "@milkwood/domain/kernel/money"
import type { ReadFile } from "../platform/files/read-apart.ts"
import { readStatementFile } from "./read-statement.ts"

/** Runs in a separate process (read-apart.ts). */
const read: ReadFile<{ path: string; currency: Currency }, StatementContent> = ({ path, currency }, deliver) =>
  deliver(readStatementFile(readFileSync(path), currency))
export default read
