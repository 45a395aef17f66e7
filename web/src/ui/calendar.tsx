import "@mantine/dates/styles.layer.css"
import { DatePicker } from "@mantine/dates"
import type { Day } from "@milkwood/domain/kernel/calendar"

interface CalendarProps {
  value: Day | null
  today: Day
  earliest?: Day
  latest?: Day
  onPick: (day: Day) => void
}

/** The calendar below a `DayInput`; a chunk of its own, loaded when first opened. */
export default function Calendar({ value, today, earliest, latest, onPick }: CalendarProps) {
  return (
    <DatePicker
      value={value}
      defaultDate={value ?? (today || undefined)}
      minDate={earliest}
      maxDate={latest}
      getDayProps={(day) =>
        day === today ? { "aria-current": "date", style: { boxShadow: "inset 0 0 0 1px var(--line-strong)" } } : {}
      }
      hideOutsideDates
      weekendDays={[]}
      size="sm"
      ariaLabels={{
        previousMonth: "Previous month",
        nextMonth: "Next month",
        previousYear: "Previous year",
        nextYear: "Next year",
        previousDecade: "Previous decade",
        nextDecade: "Next decade",
      }}
      onChange={(day) => day && onPick(day)}
    />
  )
}
