import { IconCircleCheck } from "@tabler/icons-react"
import type { ReactNode } from "react"
import classes from "./entrance-page.module.css"

export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className={classes.notice} role="status">
      <IconCircleCheck size={16} aria-hidden />
      <div>{children}</div>
    </div>
  )
}

export function ReasonList({ reasons }: { reasons: readonly string[] }) {
  return (
    <>
      The password is too weak.
      <ul className={classes.reasons}>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </>
  )
}
