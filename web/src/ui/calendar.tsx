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

export default function Calendar({ value, today, earliest, latest, onPick }: CalendarProps) {
  const wanted = value ?? today
  const start = earliest && wanted < earliest ? earliest : latest && wanted > latest ? latest : wanted
  return (
    <DatePicker
      ref={focusSelectedDay}
      value={value}
      defaultDate={start || undefined}
      minDate={earliest}
      maxDate={latest}
      getDayProps={(day) => ({
        ...(day === start && { "data-autofocus": true }),
        ...(day === today && { "aria-current": "date", style: { boxShadow: "inset 0 0 0 1px var(--line-strong)" } }),
      })}
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

function focusSelectedDay(calendar: HTMLElement | null): void {
  calendar?.querySelector<HTMLElement>("[data-autofocus]")?.focus({ preventScroll: true })
}
