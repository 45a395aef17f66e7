import { Box, type BoxProps } from "@mantine/core"
import { IconAlertCircle } from "@tabler/icons-react"
import type { ReactNode } from "react"
import classes from "./inline-error.module.css"

/**
 * An error that stays where it occurred, unlike a toast. `tone="warning"` is for problems that do not block.
 *
 *     {submit.error && <InlineError>{errorTextOf(submit.error)}</InlineError>}
 */
export function InlineError(props: BoxProps & { children: ReactNode; tone?: "error" | "warning"; action?: ReactNode }) {
  const { children, tone = "error", action, ...box } = props
  return (
    <Box className={classes.error} data-tone={tone} role={tone === "error" ? "alert" : "status"} {...box}>
      <IconAlertCircle size={16} className={classes.icon} aria-hidden />
      <div className={classes.text}>{children}</div>
      {action}
    </Box>
  )
}
