import { type Day, formatDay } from "@milkwood/domain/kernel/calendar"
import { useDisplay } from "./display.tsx"

/**
 * A business day in the format of the settings; a dash for null.
 *
 *     <DayText day={policy.startOn} />
 */
export function DayText({ day, fallback = "–" }: { day: Day | null | undefined; fallback?: string }) {
  const { dayFormat } = useDisplay()
  if (!day) return <span>{fallback}</span>
  return (
    <time dateTime={day} style={{ whiteSpace: "nowrap" }}>
      {formatDay(day, dayFormat)}
    </time>
  )
}

/**
 * An instant in the organisation's time zone: `2026-11-20 14:02`.
 *
 *     <InstantText at={claim.submittedAt} />
 *     <InstantText at={entry.at} show="day" />       // the day alone, the full moment as its title
 */
export function InstantText({ at, show = "both" }: { at: string | null | undefined; show?: "both" | "day" | "time" }) {
  const display = useDisplay()
  if (!at) return <span>–</span>
  const moment = Temporal.Instant.from(at).toZonedDateTimeISO(display.timezone)
  const day = formatDay(moment.toPlainDate().toString(), display.dayFormat)
  const time = moment.toPlainTime().toString({ smallestUnit: "minute" })
  return (
    <time dateTime={at} title={`${day} ${time}`} style={{ whiteSpace: "nowrap" }}>
      {show === "day" ? day : show === "time" ? time : `${day} ${time}`}
    </time>
  )
}
