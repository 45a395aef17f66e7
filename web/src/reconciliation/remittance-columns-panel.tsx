import { Button, Group, Select } from "@mantine/core"
import { assignColumn } from "@milkwood/domain/kernel/header-words"
import type { RemittanceDetail } from "@milkwood/domain/reconciliation/remittance.contract"
import {
  hasPayerAndAmount,
  type RemittanceColumns,
  remittanceFieldLabels,
  remittanceFields,
} from "@milkwood/domain/reconciliation/remittance-columns"
import { useState } from "react"
import { api } from "../platform/api.ts"
import { errorTextOf } from "../platform/errors.ts"
import { useKeys } from "../platform/keyboard.ts"
import { FirstRows } from "../ui/first-rows.tsx"
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

/** The choice is remembered per employer for lists with the same headers. */
export function RemittanceColumnsPanel({ found, onCancel, onLaid }: ColumnsPanelProps) {
  const [columns, setColumns] = useState<RemittanceColumns>(found.columns)
  const lay = useCommand(api.reconciliation.remittances.lay, { failure: "Failed to compare the list" })
  const { busy, run } = useBusyAction()
  const enough = hasPayerAndAmount(columns)
  const choices = found.headers.map((header, at) => ({ value: String(at), label: header }))
  const save = () =>
    void run(async () => {
      await lay.mutateAsync({ remittanceId: found.id, version: found.version, columns })
      onLaid()
    })
  useKeys({ "mod+Enter": enough && !busy ? save : undefined })
  return (
    <SidePanel title="Choose the columns">
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
            onChange={(column) => setColumns(assignColumn(columns, field, column === null ? null : Number(column)))}
          />
        ))}
      </div>
      <FirstRows headers={found.headers} rows={found.sample} />
      {lay.error && <InlineError>{errorTextOf(lay.error)}</InlineError>}
      <Group justify="space-between" gap="xs" mt="sm">
        <span className={classes.words} role="status">
          {!enough && "Still needed: the amount column and a column that identifies the member (number or name)."}
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
