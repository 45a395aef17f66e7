import { Button, Checkbox, Stack } from "@mantine/core"
import type { Column } from "./types.ts"

export interface ColumnChoicesProps<Row> {
  columns: Column<Row>[]
  shown: string[]
  onColumns: (keys: string[] | null) => void
}

export default function ColumnChoices<Row>({ columns, shown, onColumns }: ColumnChoicesProps<Row>) {
  return (
    <Stack gap={8} role="group" aria-label="Columns">
      {columns.map((column, index) => (
        <Checkbox
          key={column.key}
          label={column.header}
          size="sm"
          disabled={index === 0}
          checked={shown.includes(column.key)}
          onChange={(event) => {
            const on = event.currentTarget.checked
            onColumns(columns.map(({ key }) => key).filter((key) => (key === column.key ? on : shown.includes(key))))
          }}
        />
      ))}
      <Button variant="subtle" size="compact-sm" onClick={() => onColumns(null)}>
        Reset columns
      </Button>
    </Stack>
  )
}
