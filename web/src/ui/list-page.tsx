import type { ReactNode } from "react"
import classes from "./page-header.module.css"

/**
 * Frame of a list page: it fills the window, and the table scrolls inside.
 *
 *     <ListPage>
 *       <PageHeader title="Claims" … />
 *       <SummaryCards … />
 *       <DataTable … />
 *     </ListPage>
 */
export function ListPage({ children }: { children: ReactNode }) {
  return <div className={classes.listPage}>{children}</div>
}
