import { Button, CloseButton, TextInput } from "@mantine/core"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { IconCheck, IconChevronDown } from "@tabler/icons-react"
import { useRef, useState } from "react"
import { DayText } from "../day.tsx"
import { lazyPopup } from "../lazy-popup.tsx"
import { PanelPopup } from "../popups.tsx"
import type { DayRange, DaysFilterProps } from "./days-filter.tsx"
import classes from "./filter-chip.module.css"
import type { Filter } from "./types.ts"

const DaysPopup = lazyPopup<DaysFilterProps>(() => import("./days-filter.tsx"))

interface FilterChipProps {
  filter: Exclude<Filter, { kind: "record" }>
  values: Record<string, unknown>
  onChange: (values: Record<string, unknown>) => void
}

export function FilterChip({ filter, values, onChange }: FilterChipProps) {
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
      <RangeText {...rangeFilterOf(filter, values)} />
    ) : (
      (filter.options.find((option) => option.value === value)?.label ?? String(value))
    )
  const button = (
    <Button
      ref={chip}
      className={classes.chip}
      data-set={set || undefined}
      variant="default"
      size="compact-sm"
      aria-haspopup="dialog"
      rightSection={set ? undefined : <IconChevronDown size={12} aria-hidden />}
    >
      {/* The space separates the words for screen readers. */}
      {set ? `${filter.label} ` : (filter.kind === "choice" && filter.all) || filter.label}
      {set && <span className={classes.chipValue}>{words}</span>}
    </Button>
  )
  return (
    <span className={classes.chipPair}>
      {filter.kind === "choice" ? (
        <PanelPopup tight position="bottom-start" button={button}>
          {(close) => (
            <Choices
              options={filter.options}
              label={filter.label}
              all={filter.all}
              value={value}
              onPick={(picked) => {
                onChange({ [filter.name]: picked })
                close()
              }}
            />
          )}
        </PanelPopup>
      ) : (
        <DaysPopup
          button={button}
          label={filter.label}
          value={rangeFilterOf(filter, values)}
          onPick={({ from, to }) => onChange({ [filter.name]: from, [filter.until]: to })}
        />
      )}
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

const rangeFilterOf = (filter: { name: string; until: string }, values: Record<string, unknown>): DayRange => ({
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
  all: string | undefined
  value: unknown
  onPick: (value: string | undefined) => void
}) {
  const { options, label, all, value, onPick } = props
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
      <div className={classes.scroll}>
        <fieldset aria-label={label} className={classes.choices}>
          {all && (
            <button type="button" aria-pressed={value === undefined} onClick={() => onPick(undefined)}>
              {all}
              {value === undefined && <IconCheck size={14} aria-hidden />}
            </button>
          )}
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
        {fitting.length === 0 && <p className={classes.noChoice}>Nothing matches.</p>}
      </div>
    </>
  )
}
