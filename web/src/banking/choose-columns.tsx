import { Button, Group, Select, Stack } from "@mantine/core"
import { areColumnsSufficient, type CsvColumns, csvFieldLabels, csvFields } from "@milkwood/domain/banking/bank-csv"
import type { StatementPreview } from "@milkwood/domain/banking/banking.contract"
import { useState } from "react"
import { useKeys } from "../platform/keyboard.ts"
import { FirstRows } from "../ui/first-rows.tsx"
import classes from "./banking.module.css"

interface ChooseColumnsProps {
  fileName: string
  table: NonNullable<StatementPreview["table"]>
  onChosen: (columns: CsvColumns) => void
  onCancel: () => void
}

const dayOrders = [
  { value: "DMY", label: "Day first: 31/12/2026" },
  { value: "MDY", label: "Month first: 12/31/2026" },
]

/** The chosen columns are remembered for the account after the import. */
export function ChooseColumns({ fileName, table, onChosen, onCancel }: ChooseColumnsProps) {
  const [columns, setColumns] = useState<CsvColumns>(table.columns ?? { dayOrder: "DMY" })
  const choices = table.header.map((header, at) => ({ value: String(at), label: header || `Column ${at + 1}` }))
  const enough = areColumnsSufficient(columns)
  const choose = () => onChosen(columns)
  useKeys({ "mod+Enter": enough ? choose : undefined }, true, "dialog")
  return (
    <Stack gap="sm">
      <p className={classes.words}>
        Choose what each column of {fileName} contains. Your choice is saved for files with the same header on this
        account.
      </p>
      <div className={classes.columns}>
        {csvFields.map((field) => (
          <Select
            key={field}
            label={csvFieldLabels[field]}
            required={field === "day" || field === "text"}
            placeholder="Not in the file"
            clearable
            data={choices}
            value={columns[field] === undefined ? null : String(columns[field])}
            onChange={(at) => setColumns({ ...columns, [field]: at === null ? undefined : Number(at) })}
          />
        ))}
        <Select
          label="Date format"
          allowDeselect={false}
          data={dayOrders}
          value={columns.dayOrder}
          onChange={(order) => setColumns({ ...columns, dayOrder: order === "MDY" ? "MDY" : "DMY" })}
        />
      </div>
      <FirstRows headers={choices.map(({ label }) => label)} rows={table.sample} />
      <Group justify="space-between" gap="xs">
        <span className={classes.words} role="status">
          {!enough && "Still needed: the date, the description, and the amount or money in and out."}
        </span>
        <Group gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button disabled={!enough} onClick={choose}>
            Use these columns
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}
