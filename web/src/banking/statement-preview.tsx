import { Button, Checkbox, Group, Stack, Table } from "@mantine/core"
import type { CsvColumns } from "@milkwood/domain/banking/bank-csv"
import type { StatementPreview } from "@milkwood/domain/banking/banking.contract"
import { statementFormatNames } from "@milkwood/domain/banking/statement"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { errorTextOf } from "../platform/errors.ts"
import { useKeys } from "../platform/keyboard.ts"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { DayText } from "../ui/day.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyText } from "../ui/money.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { useBusyAction } from "../ui/use-busy-action.ts"
import { useStatementCommands } from "./banking.api.ts"
import classes from "./banking.module.css"
import { LineCells, LineHeadings } from "./line-cells.tsx"

type Statement = NonNullable<StatementPreview["statement"]>

interface StatementPreviewProps {
  found: StatementPreview
  statement: Statement
  columns: CsvColumns | null
  onColumns: (() => void) | undefined
  onCancel: () => void
  onOther: () => void
  onDone: () => void
}

const lineCountText = (count: number) => (count === 1 ? "1 line" : `${count.toLocaleString("en-ZA")} lines`)

export function StatementPreviewPanel(props: StatementPreviewProps) {
  const { found, statement, columns, onColumns, onCancel, onOther, onDone } = props
  const [openingCents, setOpening] = useState<number | null>(null)
  const [acceptFaults, setAccept] = useState(false)
  const [idempotencyKey] = useState(newKey)
  const commands = useStatementCommands()
  const { busy, failure, run } = useBusyAction()
  const faulty = statement.faults.length > 0
  const isEmpty = statement.lineCount === 0
  const ready =
    (statement.freshCount > 0 || isEmpty) &&
    (!faulty || acceptFaults) &&
    (!statement.needsOpening || openingCents !== null)
  const bring = () =>
    void run(async () => {
      const opening = statement.needsOpening ? openingCents : null
      await commands.import.mutateAsync({
        ...{ uploadId: found.uploadId, idempotencyKey, columns, acceptFaults },
        openingCents: opening,
      })
      onDone()
    })
  useKeys({ "mod+Enter": ready && !busy ? bring : undefined }, true, "dialog")
  return (
    <Stack gap="sm">
      <Figures found={found} statement={statement} />
      {statement.gap && (
        <InlineError tone="warning">
          {keepNumbersUnbroken(`This statement does not follow on from the previous one. ${statement.gap}`)}
        </InlineError>
      )}
      {faulty && <Faults statement={statement} accepted={acceptFaults} onAccept={setAccept} />}
      {statement.needsOpening && statement.freshCount > 0 && (
        <MoneyInput
          label="Balance before the first line"
          description="It is not in the file. It is posted once as the opening balance of the account."
          required
          maw={320}
          value={openingCents}
          onChange={setOpening}
        />
      )}
      <NotAddedNotice statement={statement} />
      <LeftOutRows statement={statement} />
      {statement.lines.length > 0 && <Lines statement={statement} />}
      {failure !== undefined && <InlineError>{errorTextOf(failure)}</InlineError>}
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Button variant="subtle" onClick={onOther} disabled={busy}>
            Choose another file
          </Button>
          {onColumns && (
            <Button variant="subtle" onClick={onColumns} disabled={busy}>
              Columns
            </Button>
          )}
        </Group>
        <Group gap="xs">
          <Button variant="default" onClick={onCancel} disabled={busy}>
            Cancel
          </Button>
          <Button onClick={bring} loading={busy} disabled={!ready}>
            {isEmpty ? "Import the balances" : `Import ${lineCountText(statement.freshCount)}`}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}

function Figures({ found, statement }: { found: StatementPreview; statement: Statement }) {
  const said = (cents: number | null) => (cents === null ? "Not in the file" : <MoneyText cents={cents} />)
  return (
    <dl className={classes.figures} aria-label="The statement">
      <div>
        <dt>{found.accountName}</dt>
        <dd>
          {found.fileName}, {statementFormatNames[found.format]}
        </dd>
      </div>
      <div>
        <dt>Period</dt>
        <dd>
          <DayText day={statement.fromOn} /> to <DayText day={statement.toOn} />
        </dd>
      </div>
      <div>
        <dt>Opening balance</dt>
        <dd>{said(statement.openingCents)}</dd>
      </div>
      <div>
        <dt>Closing balance</dt>
        <dd>{said(statement.closingCents)}</dd>
      </div>
      <div>
        <dt>New lines</dt>
        <dd>{statement.freshCount.toLocaleString("en-ZA")}</dd>
      </div>
      <div>
        <dt>Already imported</dt>
        <dd>{statement.knownCount.toLocaleString("en-ZA")}</dd>
      </div>
      <div>
        <dt>New money in</dt>
        <dd>
          <MoneyText cents={statement.inCents} />
        </dd>
      </div>
      <div>
        <dt>New money out</dt>
        <dd>
          <MoneyText cents={statement.outCents} />
        </dd>
      </div>
    </dl>
  )
}

const maxFaultsShown = 5

function Faults(props: { statement: Statement; accepted: boolean; onAccept: (accepted: boolean) => void }) {
  const { faults } = props.statement
  return (
    <>
      <InlineError tone="warning">
        This file has errors. Download it again if you can: rows that cannot be read are not imported.
        <ul className={classes.faults}>
          {faults.slice(0, maxFaultsShown).map(({ sentence }) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {faults.length > maxFaultsShown && `And ${faults.length - maxFaultsShown} more.`}
      </InlineError>
      <Checkbox
        label="Import the rows that can be read"
        checked={props.accepted}
        onChange={(event) => props.onAccept(event.currentTarget.checked)}
      />
    </>
  )
}

function NotAddedNotice({ statement }: { statement: Statement }) {
  const { earlierCount, emptyCount, freshCount, isFirst, lineCount } = statement
  const words = [
    lineCount === 0 &&
      "The file has no lines: the account had no transactions in this period. Only its balances are imported.",
    lineCount > 0 && freshCount === 0 && "All lines of this file are already imported.",
    earlierCount > 0 &&
      `Included in the opening balance of the account: ${lineCountText(earlierCount)} from before its start date.`,
    emptyCount > 0 && `${lineCountText(emptyCount)} without an amount ${emptyCount === 1 ? "is" : "are"} left out.`,
    isFirst && "This is the account's first statement: its opening balance is posted to the ledger.",
  ].filter(Boolean)
  if (words.length === 0) return null
  return <p className={classes.words}>{words.join(" ")}</p>
}

const leftOutReasons: Record<Statement["leftOut"][number]["why"], string> = {
  "no amount": "it has no amount",
  "no date": "it has no date",
  balance: "the balance shows that no money moved",
}

function LeftOutRows({ statement: { leftOut, leftOutCount } }: { statement: Statement }) {
  if (leftOutCount === 0) return null
  return (
    <details className={classes.words}>
      <summary>
        {leftOutCount === 1
          ? "1 row is not a payment and is left out"
          : `${leftOutCount} rows are not payments and are left out`}
      </summary>
      <ul className={classes.faults} aria-label="Rows that are left out">
        {leftOut.map(({ line, text, amountCents, why }) => (
          <li key={line}>
            Row {line}, “{text || "no description"}”
            {amountCents !== 0 && (
              <>
                {" "}
                of <MoneyText cents={amountCents} />
              </>
            )}
            : {leftOutReasons[why]}
          </li>
        ))}
      </ul>
      {leftOutCount > leftOut.length && `And ${leftOutCount - leftOut.length} more.`}
    </details>
  )
}

function Lines({ statement }: { statement: Statement }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: Scrollable content must be reachable by keyboard. */}
      <section className={classes.lines} tabIndex={0} aria-label="Lines of the file">
        <Table stickyHeader horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <LineHeadings />
              <Table.Th visibleFrom="sm">Status</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {statement.lines.map((line) => (
              <Table.Tr key={line.line} className={line.isFresh ? undefined : classes.known}>
                <LineCells line={line} />
                <Table.Td visibleFrom="sm">{line.isFresh ? "New" : "Already imported"}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {statement.lineCount > statement.lines.length && (
        <p
          className={classes.words}
        >{`The first ${statement.lines.length} of ${lineCountText(statement.lineCount)}.`}</p>
      )}
    </>
  )
}
