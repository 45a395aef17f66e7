import { ActionIcon, Button, MultiSelect, NumberInput, Select, TextInput } from "@mantine/core"
import type { Field } from "@milkwood/domain/kernel/field"
import type { Role } from "@milkwood/domain/platform/permission"
import {
  type CustomFilter,
  type FilterValue,
  hasNoValue,
  type Operator,
  operatorNames,
  operatorsOf,
} from "@milkwood/domain/reports/custom-filter"
import { type CustomDefinition, fieldsAllowedFor, findField, maxFilters } from "@milkwood/domain/reports/custom-report"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useRef } from "react"
import { flushSync } from "react-dom"
import { DayInput } from "../ui/day-input.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import classes from "./custom.module.css"

interface CustomFiltersProps {
  definition: CustomDefinition
  role: Role | null
  errors: Record<string, React.ReactNode>
  onChange: (filters: CustomFilter[]) => void
}

export function CustomFilters({ definition: { type, filters }, role, errors, onChange }: CustomFiltersProps) {
  const offered = fieldsAllowedFor(type, role)
  const put = (at: number, filter: CustomFilter) => onChange(filters.map((one, index) => (index === at ? filter : one)))
  const start = (name: string): CustomFilter => ({
    field: name,
    operator: operatorsOf(findField(type, name)!)[0]!,
    value: null,
  })
  const place = useRef<HTMLFieldSetElement>(null)
  const add = () => {
    flushSync(() => onChange([...filters, start(offered[0]![0])]))
    place.current?.querySelector<HTMLElement>(`[aria-label="Field of filter ${filters.length + 1}"]`)?.focus()
  }
  return (
    <fieldset ref={place} className={classes.part}>
      <legend>Filters</legend>
      {filters.map((filter, at) => {
        const field = findField(type, filter.field)!
        const nth = `filter ${at + 1}`
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: Filters are identified by position; their inputs are controlled.
          <div key={`${at} ${filter.field}`} className={classes.filter}>
            <Select
              className={classes.field}
              aria-label={`Field of ${nth}`}
              allowDeselect={false}
              searchable
              data={offered.map(([value, { title }]) => ({ value, label: title }))}
              value={filter.field}
              onChange={(name) => name && name !== filter.field && put(at, start(name))}
            />
            <Select
              className={classes.operator}
              aria-label={`Operator of ${nth}`}
              allowDeselect={false}
              data={operatorsOf(field).map((value) => ({ value, label: operatorNames[value] }))}
              value={filter.operator}
              onChange={(operator) =>
                operator &&
                put(at, {
                  ...filter,
                  operator: operator as Operator,
                  value: hasNoValue(operator as Operator) ? null : filter.value,
                })
              }
            />
            {!hasNoValue(filter.operator) && (
              <FilterValueInput
                label={`Value of ${nth}`}
                field={field}
                value={filter.value}
                path={`definition.filters.${at}.value`}
                error={errors[`definition.filters.${at}.value`]}
                onChange={(value) => put(at, { ...filter, value })}
              />
            )}
            <ActionIcon
              className={classes.remove}
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`Remove ${nth}`}
              onClick={() => onChange(filters.filter((_, index) => index !== at))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
        )
      })}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={filters.length >= maxFilters}
        onClick={add}
      >
        Add filter
      </Button>
    </fieldset>
  )
}

interface FilterValueInputProps {
  label: string
  field: Field
  value: FilterValue
  /** The filter's path in field errors. */
  path: string
  error: React.ReactNode
  onChange: (value: FilterValue) => void
}

function FilterValueInput({ label, field: { kind, names }, value, path, error, onChange }: FilterValueInputProps) {
  const shared = { className: classes.value, "aria-label": label, "data-path": path, error }
  if (names)
    return (
      <MultiSelect
        {...shared}
        data={Object.entries(names).map(([key, name]) => ({ value: key, label: name }))}
        value={Array.isArray(value) ? value : []}
        placeholder={Array.isArray(value) && value.length > 0 ? "" : "Choose"}
        onChange={onChange}
      />
    )
  if (kind === "day")
    return <DayInput {...shared} value={typeof value === "string" ? value : null} onChange={onChange} />
  if (kind === "money")
    return <MoneyInput {...shared} value={typeof value === "number" ? value : null} onChange={onChange} />
  if (kind === "count")
    return (
      <NumberInput
        {...shared}
        allowDecimal={false}
        value={typeof value === "number" ? value : ""}
        onChange={(typed) => onChange(typeof typed === "number" ? typed : null)}
      />
    )
  return (
    <TextInput
      {...shared}
      maxLength={200}
      placeholder="Text to find"
      value={typeof value === "string" ? value : ""}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
