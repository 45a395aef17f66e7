import { readBankCsv } from "@milkwood/domain/banking/bank-csv"
import { addDays } from "@milkwood/domain/kernel/calendar"
import fc from "fast-check"
import { expect, test } from "vitest"
import { readStatementFile } from "./read-statement.ts"
import { type StatementFile, statementFiles } from "./statement-files.samples.ts"

const word = fc.stringMatching(/^[A-Z][A-Z0-9]{1,9}$/)
const line = fc.record({
  after: fc.nat(3),
  text: fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" ")),
  reference: fc.oneof(fc.constant(""), fc.stringMatching(/^INV-2026-\d{6}$/)),
  amountCents: fc.integer({ min: -9_999_999, max: 9_999_999 }).filter((cents) => cents !== 0),
})

test.each(Object.keys(statementFiles) as StatementFile[])("a statement written by %s is read correctly", (file) => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: -1_000_000, max: 100_000_000 }),
      (drawn, openingCents) => {
        let day = "2026-01-01"
        const lines = drawn.map(({ after, ...rest }) => {
          day = addDays(day, after)
          return { ...rest, day }
        })
        const written = statementFiles[file]({ accountNumber: "62000000001", openingCents, lines })
        const content = readStatementFile(Buffer.from(written), "ZAR")
        const [statement] = content.format === "csv" ? (readBankCsv(content.rows, "ZAR") ?? []) : content.statements
        expect(statement?.faults).toEqual([])
        const inShort = (one: { day: string; amountCents: number }) => [one.day, one.amountCents]
        expect(statement?.lines.map(inShort)).toEqual(lines.map(inShort))
        for (const [at, { text, reference }] of statement!.lines.entries()) {
          const said = `${text} ${reference}`
          expect(said).toContain(lines[at]!.text)
          expect(said).toContain(lines[at]!.reference)
        }
      },
    ),
    { numRuns: 60 },
  )
})
