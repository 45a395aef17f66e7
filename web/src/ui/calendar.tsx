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
      highlightToday
      size="sm"
      ariaLabels={{
        previousMonth: "Previous month",
        nextMonth: "Next month",
        previousYear: "Previous year",
        nextYear: "Next year",
        previousDecade: "Previous decade",
        nextDecade: "Next decade",
        monthLevelControl: "Choose month",
        yearLevelControl: "Choose year",
      }}
      onChange={(day) => day && onPick(day)}
    />
  )
}
