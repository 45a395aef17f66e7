import { Button, Checkbox, ScrollArea, Select } from "@mantine/core"
import { assignColumn } from "@milkwood/domain/kernel/header-words"
import {
  type ColumnMapping,
  type ListField,
  listFieldLabels,
  listFields,
  missingColumns,
  requiredListFields,
} from "@milkwood/domain/staff-lists/staff-list-columns"
import type { StaffListDetail } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { useState } from "react"
import { errorTextOf } from "../platform/errors.ts"
import { useKeys } from "../platform/keyboard.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { useBusyAction } from "../ui/use-busy-action.ts"
import { useStaffListCommands } from "./staff-lists.api.ts"
import classes from "./staff-lists.module.css"

const isRequired = (field: ListField) => (requiredListFields as readonly string[]).includes(field)

export function MapColumns({ found, onChecked }: { found: StaffListDetail; onChecked?: () => void }) {
  const [mapping, setMapping] = useState<ColumnMapping>(found.mapping)
  const { check } = useStaffListCommands()
  const columns = found.headers.map((header, index) => ({ value: String(index), label: header }))
  const missing = missingColumns(mapping)
  const choose = (field: ListField, column: string | null) => {
    const next = assignColumn(mapping, field, column === null ? null : Number(column))
    if (field === "groupPolicy" && column !== null) delete next.groupPolicyChosen
    setMapping(next)
  }
  const checking = useBusyAction()
  const run = () =>
    void checking.run(async () => {
      await check.mutateAsync({ importId: found.id, version: found.version, mapping })
      onChecked?.()
    })
  useKeys({ "mod+Enter": missing.length === 0 ? run : undefined })
  return (
    <section className={classes.card} aria-labelledby="mapping-title">
      <h2 id="mapping-title" className={classes.cardTitle}>
        Map the columns of {found.fileName}
      </h2>
      <div className={classes.mapping}>
        {listFields.map((field) => (
          <div key={field}>
            <Select
              label={listFieldLabels[field]}
              required={isRequired(field)}
              placeholder={isRequired(field) ? "Choose a column" : "Not in the file"}
              data={columns}
              searchable
              clearable
              disabled={field === "groupPolicy" && mapping.groupPolicyChosen === true}
              value={mapping[field] === undefined ? null : String(mapping[field])}
              onChange={(column) => choose(field, column)}
            />
            {field === "groupPolicy" && (
              <Checkbox
                mt={6}
                size="xs"
                label={`All members belong to ${found.policyNumber}`}
                checked={mapping.groupPolicyChosen === true}
                onChange={(event) => {
                  const chosen = event.currentTarget.checked
                  setMapping({
                    ...mapping,
                    groupPolicyChosen: chosen || undefined,
                    groupPolicy: chosen ? undefined : mapping.groupPolicy,
                  })
                }}
              />
            )}
          </div>
        ))}
      </div>
      <SampleRows found={found} mapping={mapping} />
      {check.error && <InlineError mt="md">{errorTextOf(check.error)}</InlineError>}
      <div className={classes.foot}>
        <span className={classes.missing} role="status">
          {missing.length > 0 && `Still needed: ${missing.map((field) => listFieldLabels[field]).join(", ")}`}
        </span>
        <Button disabled={missing.length > 0} loading={checking.busy} onClick={run}>
          Check {found.rowCount === 1 ? "1 row" : `${found.rowCount.toLocaleString("en-ZA")} rows`}
        </Button>
      </div>
    </section>
  )
}

function SampleRows({ found, mapping }: { found: StaffListDetail; mapping: ColumnMapping }) {
  const columns = found.headers.map((header, index) => ({
    id: `column ${index}`,
    header,
    index,
    field: listFields.find((field) => mapping[field] === index),
  }))
  const rows = found.sample.map((cells, index) => ({ id: `row ${index}`, cells }))
  return (
    <ScrollArea
      type="auto"
      offsetScrollbars="x"
      mt="md"
      viewportProps={{ tabIndex: 0, role: "region", "aria-label": "First rows of the file" }}
    >
      <table className={classes.sample}>
        <thead>
          <tr>
            {columns.map(({ id, header, field }) => (
              <th key={id} scope="col" data-used={field ? true : undefined}>
                {header}
                <span className={classes.field}>{field ? listFieldLabels[field] : "not used"}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map(({ id, index }) => (
                <td key={id}>{row.cells[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
