import { Button, Table } from "@mantine/core"
import type { BankStatementDetail } from "@milkwood/domain/banking/banking.contract"
import { statementFormatNames } from "@milkwood/domain/banking/statement"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { useState } from "react"
import { api, newKey } from "../../platform/api.ts"
import { useSession } from "../../platform/session.ts"
import { keepNumbersUnbroken } from "../../ui/breakable.tsx"
import { useConfirm } from "../../ui/confirm.tsx"
import { DayText, InstantText } from "../../ui/day.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { Timeline } from "../../ui/timeline.tsx"
import { useStatementCommands } from "../banking.api.ts"
import classes from "../banking.module.css"
import { LineCells, LineHeadings } from "../line-cells.tsx"

export const Route = createFileRoute("/_app/invoices/reconciliation/statements/$statementId")({
  staticData: { permission: "banking.read" },
  component: StatementPage,
})

const back = { to: "/invoices/reconciliation/statements", label: "Back to Bank statements" } as const

function StatementPage() {
  const { statementId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(api.banking.statement.queryOptions({ input: { statementId } }))}
      title="Bank statement"
      back={back}
      loading="Loading the statement..."
      failed="Failed to load the statement"
      notFound="Statement not found"
    >
      {(statement) => <Statement key={statementId} statement={statement} />}
    </LoadedRecord>
  )
}

const formatOptionalCents = (cents: number | null) => (cents === null ? "Not in the file" : <MoneyText cents={cents} />)

function useUndo({ id: statementId, number, newCount }: BankStatementDetail) {
  const confirm = useConfirm()
  const { undo } = useStatementCommands()
  const [idempotencyKey] = useState(newKey)
  const lines = newCount === 1 ? "Its line is removed" : `Its ${newCount.toLocaleString("en-ZA")} lines are removed`
  return () =>
    void confirm({
      title: `Undo the import of ${number}?`,
      body: `${lines}, and you can import the same file again. The statement and any opening balance that it posted stay on record.`,
      confirm: "Undo import",
      danger: true,
      action: () => undo.mutateAsync({ statementId, idempotencyKey }),
    })
}

/** 0 for a user who cannot match lines. */
function useOpenCount({ id: statementId, undoneAt }: BankStatementDetail): number {
  const { can } = useSession()
  const open = useQuery({
    ...api.banking.lines.queryOptions({ input: { statementId, tab: "open" } }),
    enabled: undoneAt === null && can("banking.write"),
  })
  return open.data?.total ?? 0
}

function Statement({ statement }: { statement: BankStatementDetail }) {
  const undo = useUndo(statement)
  const isUndone = statement.undoneAt !== null
  const openCount = useOpenCount(statement)
  return (
    <RecordPage
      list="bank-statements"
      id={statement.id}
      back={back}
      number={statement.number}
      title={statement.accountName}
      subtitle={
        <>
          <DayText day={statement.fromOn} /> to <DayText day={statement.toOn} />
        </>
      }
      badge={isUndone && <StatusBadge status="undone" label="Undone" size="md" />}
      actions={statement.allowedActions.includes("undo") ? [{ label: "Undo import", danger: true, onClick: undo }] : []}
      primary={
        openCount > 0 && (
          <Button
            component={Link}
            {...(linkOptions({
              to: "/invoices/reconciliation/match",
              search: { statementId: statement.id },
            }) as object)}
          >
            {openCount === 1 ? "Match 1 line" : `Match ${openCount.toLocaleString("en-ZA")} lines`}
          </Button>
        )
      }
      amount={statement.closingCents === null ? undefined : <MoneyText cents={statement.closingCents} />}
      side={
        <>
          <SidePanel title="Statement">
            <FactList
              rows={[
                ["Bank", statement.bank],
                ["Account number", statement.accountNumber],
                ["Opening balance", formatOptionalCents(statement.openingCents)],
                ["Closing balance", formatOptionalCents(statement.closingCents)],
                ["Money in", <MoneyText key="in" cents={statement.inCents} />],
                ["Money out", <MoneyText key="out" cents={statement.outCents} />],
                ["New lines", statement.newCount.toLocaleString("en-ZA")],
                ["Already imported", statement.knownCount.toLocaleString("en-ZA")],
                ["Format", statementFormatNames[statement.format]],
                [
                  "File",
                  statement.hasFile ? (
                    <a key="file" href={`/api/bank-statements/${statement.id}/file`} download>
                      {statement.fileName}
                    </a>
                  ) : (
                    statement.fileName
                  ),
                ],
                ["Imported by", statement.importedByName],
                ["Undone by", statement.undoneByName],
                ["Undone", statement.undoneAt && <InstantText key="undone" at={statement.undoneAt} />],
              ]}
            />
          </SidePanel>
          <SidePanel title="Activity">
            <Timeline
              key={statement.id}
              entries={statement.timeline}
              older={(before) => api.banking.activity.call({ statementId: statement.id, before })}
            />
          </SidePanel>
        </>
      }
    >
      {statement.gap && (
        <InlineError tone="warning" mb="sm">
          {keepNumbersUnbroken(
            `This statement does not follow on from the previous one. ${statement.gap} Import the missing statements. If none are missing, the account's opening balance is wrong: ask an administrator to correct it in Settings, General.`,
          )}
        </InlineError>
      )}
      {statement.faults.length > 0 && (
        <InlineError tone="warning" mb="sm">
          The file was imported with errors:
          <ul className={classes.faults}>
            {statement.faults.slice(0, 20).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </InlineError>
      )}
      <SidePanel title="Lines">
        {isUndone ? (
          <p className={classes.words}>The import was undone and its lines were removed.</p>
        ) : (
          <Lines statementId={statement.id} count={statement.newCount} />
        )}
      </SidePanel>
    </RecordPage>
  )
}

const linesPageSize = 100

function Lines({ statementId, count }: { statementId: string; count: number }) {
  const lines = useQuery(
    api.banking.lines.queryOptions({
      input: { statementId, tab: "all", pageSize: linesPageSize, sort: "day", dir: "asc" },
    }),
  )
  if (lines.isError && !lines.data) {
    return (
      <LoadFailed
        title="Failed to load the lines"
        error={lines.error}
        onRetry={lines.refetch}
        busy={lines.isFetching}
      />
    )
  }
  return (
    <>
      <Table.ScrollContainer minWidth={300}>
        <Table aria-label="Lines" horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <LineHeadings />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.data?.rows.map((line) => (
              <Table.Tr key={line.id}>
                <LineCells line={line} />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <p className={classes.words}>
        {count > linesPageSize && `The first ${linesPageSize} of ${count.toLocaleString("en-ZA")} lines. `}
        <Link to="/invoices/reconciliation/lines" search={{ statementId, tab: "all" }}>
          Search and export its lines
        </Link>
      </p>
    </>
  )
}
