import { claimStatusNames, stages } from "@milkwood/domain/claims/claim"
import { highlightOverDays } from "@milkwood/domain/claims/claim-priority"
import type { PendingRow } from "@milkwood/domain/claims/claim-shape"
import { StatusBadge } from "../ui/status-badge.tsx"
import { roundCauseText } from "./claim-table.tsx"
import classes from "./claims.module.css"

export function StageMeter({ claim }: { claim: PendingRow }) {
  const { status, state } = claim
  const cause = roundCauseText(claim)
  const at = stages.findIndex((stage) => status === `pending_${stage}`)
  return (
    <span className={classes.meter}>
      <span className={classes.dots} aria-hidden>
        {stages.map((stage, index) => (
          <span key={stage} data-state={index < at ? "done" : index === at ? "here" : undefined} />
        ))}
      </span>
      <span className={classes.stage}>
        {claimStatusNames[status]}
        {cause && `, ${cause}`}
      </span>
      {state === "Documentation Required" && <StatusBadge status={state} />}
    </span>
  )
}

export function Waiting({ days }: { days: number }) {
  return (
    <span className={classes.waiting} data-late={days > highlightOverDays || undefined}>
      {days} {days === 1 ? "day" : "days"}
    </span>
  )
}
