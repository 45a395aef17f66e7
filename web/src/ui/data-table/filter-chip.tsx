import { Button, CloseButton, Popover, ScrollArea, TextInput } from "@mantine/core"
import { IconCheck, IconChevronDown } from "@tabler/icons-react"
import { useState } from "react"
import { DayText } from "../day.tsx"
import { DayInput } from "../day-input.tsx"
import classes from "./filter-chip.module.css"
import type { Filter } from "./types.ts"

interface FilterChipProps {
  filter: Filter
  value: unknown
  onChange: (value: unknown) => void
}

/** One filter: a quiet chip until it is set, then its value with a cross. */
export function FilterChip({ filter, value, onChange }: FilterChipProps) {
  const [open, setOpen] = useState(false)
  const set = value !== undefined
  if (filter.kind === "flag") {
    return (
      <Button
        className={classes.chip}
        data-set={set || undefined}
        variant="default"
        size="compact-sm"
        aria-pressed={set}
        onClick={() => onChange(set ? undefined : true)}
      >
        {filter.label}
      </Button>
    )
  }
  const words =
    filter.kind === "choice"
      ? (filter.options.find((option) => option.value === value)?.label ?? String(value))
      : value !== undefined && <DayText day={String(value)} />
  return (
    <span className={classes.chipPair}>
      <Popover opened={open} onChange={setOpen} position="bottom-start" shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <Button
            className={classes.chip}
            data-set={set || undefined}
            variant="default"
            size="compact-sm"
            rightSection={set ? undefined : <IconChevronDown size={12} aria-hidden />}
            onClick={() => setOpen((was) => !was)}
          >
            {filter.label}
            {set && <span className={classes.chipValue}>{words}</span>}
          </Button>
        </Popover.Target>
        <Popover.Dropdown p={filter.kind === "choice" ? 4 : "sm"}>
          {filter.kind === "choice" ? (
            <Choices
              options={filter.options}
              label={filter.label}
              value={value}
              onPick={(picked) => {
                onChange(picked)
                setOpen(false)
              }}
            />
          ) : (
            <DayInput
              label={filter.label}
              value={value === undefined ? null : String(value)}
              onChange={(day) => day && onChange(day)}
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
          onClick={() => onChange(undefined)}
        />
      )}
    </span>
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
