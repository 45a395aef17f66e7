import type { ComponentProps } from "react"
import classes from "./row-parts.module.css"

/** The box that selects a row, or all of a page. The browser's own: there is one for every row, drawn at every turn of a page. */
export function RowCheck({ some = false, ...box }: ComponentProps<"input"> & { some?: boolean }) {
  return (
    <input
      {...box}
      type="checkbox"
      className={classes.box}
      ref={(input) => {
        if (input) input.indeterminate = some
      }}
    />
  )
}
