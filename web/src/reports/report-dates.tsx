import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Report } from "@milkwood/domain/reports/report"
import { periodOn } from "@milkwood/domain/reports/report-period"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import classes from "./catalogue.module.css"

export interface Dates {
  asOf?: Day | undefined
  from?: Day | undefined
  to?: Day | undefined
}

export function reportDatesOf({ dates }: Report, today: Day, asked: Dates = {}): Dates {
  if (dates.kind === "now") return {}
  if (dates.kind === "day") return { asOf: asked.asOf ?? today }
  const usual = periodOn(dates.start, today)
  return { from: asked.from ?? usual.from, to: asked.to ?? usual.to }
}

/**
 * The day, or first and last day, of a report; empty for a report without dates.
 *
 *     <ReportDates report={report} value={dates} onChange={(dates) => list.go(dates)} />
 */
export function ReportDates({
  report,
  value,
  onChange,
}: {
  report: Report
  value: Dates
  onChange: (dates: Dates) => void
}) {
  const { today } = useDisplay()
  if (report.dates.kind === "now") return null
  if (report.dates.kind === "day")
    return <LabelledDayInput label="As of" day={value.asOf} latest={today} onPick={(asOf) => onChange({ asOf })} />
  const { from, to } = value
  return (
    <>
      <LabelledDayInput label="From" day={from} onPick={(day) => onChange({ from: day, to })} />
      <LabelledDayInput label="To" day={to} onPick={(day) => onChange({ from, to: day })} />
    </>
  )
}

interface LabelledDayInputProps {
  label: string
  day: Day | undefined
  latest?: Day
  onPick: (day: Day) => void
}

const LabelledDayInput = ({ label, day, latest, onPick }: LabelledDayInputProps) => (
  <DayInput
    aria-label={label}
    leftSection={<span className={classes.asOf}>{label}</span>}
    leftSectionWidth={52}
    value={day ?? null}
    {...(latest && { latest })}
    w={172}
    onChange={(picked) => picked && picked !== day && onPick(picked)}
  />
)
