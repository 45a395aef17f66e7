import { Button, Group, Select, Table } from "@mantine/core"
import type { RemittanceDetail } from "@milkwood/domain/reconciliation/remittance.contract"
import {
  type RemittanceColumns,
  type RemittanceField,
  remittanceFieldLabels,
  remittanceFields,
  saysWhoAndHowMuch,
} from "@milkwood/domain/reconciliation/remittance-columns"
import { useState } from "react"
import { api } from "../platform/api.ts"
import { errorText } from "../platform/errors.ts"
import { useKeys } from "../platform/keyboard.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { SidePanel } from "../ui/record-page.tsx"
import { useBusyAction } from "../ui/use-busy-action.ts"
import { useCommand } from "../ui/use-command.ts"
import classes from "./reconciliation.module.css"

interface ColumnsPanelProps {
  found: RemittanceDetail
  onCancel?: (() => void) | undefined
  onLaid: () => void
}

/** Which column of an employer's list is what; remembered for the employer, for lists with the same headers. */
export function RemittanceColumnsPanel({ found, onCancel, onLaid }: ColumnsPanelProps) {
  const [columns, setColumns] = useState<RemittanceColumns>(found.columns)
  const lay = useCommand(api.reconciliation.remittances.lay, { failure: "Failed to compare the list" })
  const { busy, run } = useBusyAction()
  const enough = saysWhoAndHowMuch(columns)
  const choices = found.headers.map((header, at) => ({ value: String(at), label: header }))
  const choose = (field: RemittanceField, column: string | null) => {
    const next: RemittanceColumns = { ...columns }
    // A column stands for one thing: choosing it elsewhere takes it from where it was.
    for (const other of remittanceFields) if (next[other] === Number(column)) delete next[other]
    if (column === null) delete next[field]
    else next[field] = Number(column)
    setColumns(next)
  }
  const save = () =>
    void run(async () => {
      await lay.mutateAsync({ remittanceId: found.id, version: found.version, columns })
      onLaid()
    })
  useKeys({ "mod+Enter": enough && !busy ? save : undefined })
  return (
    <SidePanel title="Which column is what">
      <div className={classes.columns}>
        {remittanceFields.map((field) => (
          <Select
            key={field}
            label={remittanceFieldLabels[field]}
            required={field === "amount"}
            placeholder="Not in the file"
            clearable
            data={choices}
            value={columns[field] === undefined ? null : String(columns[field])}
            onChange={(column) => choose(field, column)}
          />
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label="First rows of the file">
        <Table>
          <Table.Thead>
            <Table.Tr>
              {choices.map(({ value, label }) => (
                <Table.Th key={value}>{label}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.sample.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no id, and never move
              <Table.Tr key={row}>
                {choices.map(({ value }) => (
                  <Table.Td key={value}>{cells[Number(value)]}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {lay.error && <InlineError>{errorText(lay.error)}</InlineError>}
      <Group justify="space-between" gap="xs" mt="sm">
        <span className={classes.words} role="status">
          {!enough && "Still needed: the amount, and who it is for (a number or a name)."}
        </span>
        <Group gap="xs">
          {onCancel && (
            <Button variant="default" onClick={onCancel} disabled={busy}>
              Cancel
            </Button>
          )}
          <Button disabled={!enough} loading={busy} onClick={save}>
            Compare with the invoice
          </Button>
        </Group>
      </Group>
    </SidePanel>
  )
}
