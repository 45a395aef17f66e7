import { Button, CloseButton, Popover, ScrollArea, TextInput } from "@mantine/core"
import type { Day } from "@milkwood/domain/kernel/days"
import { IconCheck, IconChevronDown } from "@tabler/icons-react"
import { useRef, useState } from "react"
import { DayText } from "../day.tsx"
import { type DayRange, DaysFilter } from "./days-filter.tsx"
import classes from "./filter-chip.module.css"
import type { Filter } from "./types.ts"

interface FilterChipProps {
  filter: Exclude<Filter, { kind: "record" }>
  /** What stands in the address. */
  values: Record<string, unknown>
  onChange: (values: Record<string, unknown>) => void
}

/** One filter: a quiet chip until it is set, then its value with a cross. */
export function FilterChip({ filter, values, onChange }: FilterChipProps) {
  const [open, setOpen] = useState(false)
  const chip = useRef<HTMLButtonElement>(null)
  const names = filter.kind === "days" ? [filter.name, filter.until] : [filter.name]
  const set = names.some((name) => values[name] !== undefined)
  const value = values[filter.name]
  if (filter.kind === "flag") {
    return (
      <Button
        className={classes.chip}
        data-set={set || undefined}
        variant="default"
        size="compact-sm"
        aria-pressed={set}
        onClick={() => onChange({ [filter.name]: set ? undefined : true })}
      >
        {filter.label}
      </Button>
    )
  }
  const words =
    filter.kind === "days" ? (
      <RangeText {...rangeOf(filter, values)} />
    ) : (
      (filter.options.find((option) => option.value === value)?.label ?? String(value))
    )
  return (
    <span className={classes.chipPair}>
      <Popover opened={open} onChange={setOpen} position="bottom-start" shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <Button
            ref={chip}
            className={classes.chip}
            data-set={set || undefined}
            variant="default"
            size="compact-sm"
            rightSection={set ? undefined : <IconChevronDown size={12} aria-hidden />}
            onClick={() => setOpen((was) => !was)}
          >
            {/* The space is for who hears the chip read out. */}
            {set ? `${filter.label} ` : filter.label}
            {set && <span className={classes.chipValue}>{words}</span>}
          </Button>
        </Popover.Target>
        <Popover.Dropdown p={4}>
          {filter.kind === "choice" ? (
            <Choices
              options={filter.options}
              label={filter.label}
              value={value}
              onPick={(picked) => {
                onChange({ [filter.name]: picked })
                setOpen(false)
              }}
            />
          ) : (
            <DaysFilter
              label={filter.label}
              value={rangeOf(filter, values)}
              onPick={({ from, to }) => {
                onChange({ [filter.name]: from, [filter.until]: to })
                setOpen(false)
              }}
            />
          )}
        </Popover.Dropdown>
      </Popover>
      {set && (
        <CloseButton
          className={classes.chipClear}
          size={24}
          iconSize={12}
          aria-label={`Clear filter ${filter.label}`}
          onClick={() => {
            chip.current?.focus()
            onChange(Object.fromEntries(names.map((name) => [name, undefined])))
          }}
        />
      )}
    </span>
  )
}

const rangeOf = (filter: { name: string; until: string }, values: Record<string, unknown>): DayRange => ({
  from: values[filter.name] as Day | undefined,
  to: values[filter.until] as Day | undefined,
})

function RangeText({ from, to }: DayRange) {
  if (from && from === to) return <DayText day={from} />
  return (
    <>
      {from && to ? "" : from ? "from " : "to "}
      {from && <DayText day={from} />}
      {from && to && " – "}
      {to && <DayText day={to} />}
    </>
  )
}

function Choices(props: {
  options: { value: string; label: string }[]
  label: string
  value: unknown
  onPick: (value: string | undefined) => void
}) {
  const { options, label, value, onPick } = props
  const [wanted, setWanted] = useState("")
  const fitting = options.filter((option) => option.label.toLowerCase().includes(wanted.trim().toLowerCase()))
  return (
    <>
      {options.length > 8 && (
        <TextInput
          size="xs"
          m={4}
          aria-label={`Find in ${label}`}
          placeholder={`Find in ${label.toLowerCase()}`}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && fitting[0]) onPick(fitting[0].value)
          }}
        />
      )}
      <ScrollArea.Autosize mah={320} type="auto">
        <fieldset aria-label={label} className={classes.choices}>
          {fitting.map((option) => (
            <button
              key={option.value}
              type="button"
              aria-pressed={option.value === value}
              onClick={() => onPick(option.value === value ? undefined : option.value)}
            >
              {option.label}
              {option.value === value && <IconCheck size={14} aria-hidden />}
            </button>
          ))}
        </fieldset>
        {fitting.length === 0 && <p className={classes.noChoice}>None fits.</p>}
      </ScrollArea.Autosize>
    </>
  )
}
