import type { ReactNode } from "react"
import classes from "./page-header.module.css"

/**
 * The frame of a list page: header, cards and table share the height of the window, and the table scrolls inside.
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
