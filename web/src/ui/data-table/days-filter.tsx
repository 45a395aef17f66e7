import { Button, Group, Stack } from "@mantine/core"
import { addDays, addMonths, type Day, firstOfMonth, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { useState } from "react"
import { DayInput } from "../day-input.tsx"
import { useDisplay } from "../display.tsx"
import type { PopupProps } from "../lazy-popup.tsx"
import PopoverPanel from "../popover-panel.tsx"
import { focusUnreadableField } from "../unreadable.ts"
import classes from "./filter-chip.module.css"

export interface DayRange {
  from: Day | undefined
  to: Day | undefined
}

function presetRanges(today: Day): [name: string, range: DayRange][] {
  const lastMonth = addMonths(firstOfMonth(today), -1)
  return [
    ["Today", { from: today, to: today }],
    ["Last 7 days", { from: addDays(today, -6), to: today }],
    ["This month", { from: firstOfMonth(today), to: lastOfMonth(today) }],
    ["Last month", { from: lastMonth, to: lastOfMonth(lastMonth) }],
    ["This year", { from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` }],
  ]
}

export interface DaysFilterProps {
  label: string
  value: DayRange
  onPick: (range: DayRange) => void
}

export default function DaysPanel({ label, value, onPick, ...popup }: DaysFilterProps & PopupProps) {
  return (
    <PopoverPanel {...popup} tight position="bottom-start">
      {(close) => (
        <DaysFilter
          label={label}
          value={value}
          onPick={(range) => {
            onPick(range)
            close()
          }}
        />
      )}
    </PopoverPanel>
  )
}

function DaysFilter({ label, value, onPick }: DaysFilterProps) {
  const { today } = useDisplay()
  const [from, setFrom] = useState(value.from ?? null)
  const [to, setTo] = useState(value.to ?? null)
  const reversed = from !== null && to !== null && from > to
  return (
    <form
      aria-label={label}
      className={classes.days}
      onSubmit={(event) => {
        event.preventDefault()
        if (reversed || focusUnreadableField(event.currentTarget)) return
        onPick({ from: from ?? undefined, to: to ?? undefined })
      }}
    >
      <fieldset aria-label={`Default: ${label}`} className={classes.choices}>
        {presetRanges(today).map(([name, range]) => (
          <button
            key={name}
            type="button"
            aria-pressed={range.from === value.from && range.to === value.to}
            onClick={() => onPick(range)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <Stack gap="xs">
        <DayInput withinPortal={false} size="xs" label="From" value={from} onChange={setFrom} data-autofocus />
        <DayInput
          withinPortal={false}
          size="xs"
          label="To"
          value={to}
          onChange={setTo}
          error={reversed && "The last day is before the first day"}
          {...(from ? { earliest: from } : {})}
        />
        <Group justify="flex-end">
          <Button type="submit" size="compact-sm">
            Show
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
