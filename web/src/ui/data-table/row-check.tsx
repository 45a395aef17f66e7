import type { ComponentProps } from "react"
import classes from "./row-parts.module.css"

/** A native checkbox: one is drawn for every row of every page. */
export function RowCheckbox({ some = false, ...box }: ComponentProps<"input"> & { some?: boolean }) {
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
