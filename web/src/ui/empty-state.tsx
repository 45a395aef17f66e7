import type { ReactNode } from "react"
import classes from "./states.module.css"

/**
 * An empty state with an action to start. `DataTable` has its own message for empty searches.
 *
 *     <EmptyState title="No claims found." action={<Button component={Link} to="/claims/new">New claim</Button>}>
 *       Claims appear here as soon as one is captured.
 *     </EmptyState>
 */
export function EmptyState(props: { title: string; children?: ReactNode; action?: ReactNode; icon?: ReactNode }) {
  return (
    <div className={classes.state}>
      {props.icon && <div className={classes.icon}>{props.icon}</div>}
      <p className={classes.title}>{props.title}</p>
      {props.children && <div className={classes.words}>{props.children}</div>}
      {props.action && <div className={classes.action}>{props.action}</div>}
    </div>
  )
}
