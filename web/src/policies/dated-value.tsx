import { Text } from "@mantine/core"
import { addDays, formatDay } from "@milkwood/domain/kernel/calendar"
import type { ReactNode } from "react"
import { useDisplay } from "../ui/display.tsx"
import type { FutureChange } from "../ui/later-changes.tsx"

/**
 * Today's value of a dated term, with past and future values below.
 *
 *     <DatedValue changes={all("waitingPeriods")}>{months(3)}</DatedValue>
 */
export function DatedValue({ changes, children }: { changes: readonly FutureChange[]; children: ReactNode }) {
  const { today, dayFormat } = useDisplay()
  const current = changes.findLastIndex(({ on }, index) => on <= today || index === 0)
  const lines = changes.flatMap(({ on, words }, index) => {
    const next = changes[index + 1]
    if (index === current) return []
    return index < current && next
      ? [`${words} until ${formatDay(addDays(next.on, -1), dayFormat)}`]
      : [`${words} from ${formatDay(on, dayFormat)}`]
  })
  return (
    <>
      {children ?? "–"}
      {lines.map((line) => (
        <Text key={line} component="span" display="block" size="xs" c="dimmed">
          {line}
        </Text>
      ))}
    </>
  )
}

/** Every recorded change of a dated term, in order. */
export function FutureValues({ changes }: { changes: readonly FutureChange[] }) {
  const { dayFormat } = useDisplay()
  if (changes.length === 0) return "None"
  return changes.map(({ on, words }) => (
    <Text key={on} component="span" display="block" inherit>
      {words} from {formatDay(on, dayFormat)}
    </Text>
  ))
}
