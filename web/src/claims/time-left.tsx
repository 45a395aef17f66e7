import type { ClockState } from "@milkwood/domain/claims/claim-clock"
import { StatusBadge } from "../ui/status-badge.tsx"

const looks: Partial<Record<ClockState, string>> = { due: "warning", late: "overdue", waiting: "waiting" }

/** Text of the promise; exceptions have a badge. */
export function TimeLeft({ state, text }: { state: ClockState; text: string }) {
  const status = looks[state]
  return status ? <StatusBadge status={status} label={text} /> : <span>{text}</span>
}
