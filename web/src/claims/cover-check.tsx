import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import classes from "./claims.module.css"

export function CoverCheck({ lines }: { lines: ClaimDetail["coverCheck"] }) {
  if (lines.length === 0)
    return <p className={classes.quiet}>The cover check runs when the incident date is entered.</p>
  return (
    <ul className={classes.checks}>
      {lines.map((line) => (
        <li key={line.check} className={classes.check}>
          <div className={classes.checkTitle}>
            {line.title}
            <StatusBadge status={line.result === "open" ? "waiting" : line.result} label={line.label} />
          </div>
          <div className={classes.quiet}>{keepNumbersUnbroken(line.evidence)}</div>
        </li>
      ))}
    </ul>
  )
}
