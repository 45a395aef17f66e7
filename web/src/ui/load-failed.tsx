import { Button } from "@mantine/core"
import { IconRefresh } from "@tabler/icons-react"
import { useEffect } from "react"
import { errorTextOf, refusalCodeOf } from "../platform/errors.ts"
import { InlineError } from "./inline-error.tsx"
import classes from "./states.module.css"
import { toast } from "./toast.tsx"

interface LoadFailedProps {
  error: unknown
  onRetry: () => void
  busy?: boolean
  title?: string
  notFound?: string
}

/**
 * A failed load with Retry, in place of the content, and as a toast.
 *
 *     if (claim.isError) return <LoadFailed title="Failed to load claim data" notFound="Claim not found"
 *       error={claim.error} onRetry={claim.refetch} />
 */
export function LoadFailed({ error, onRetry, busy, title, notFound }: LoadFailedProps) {
  // A malformed id in the address means not found too.
  const code = refusalCodeOf(error)
  const missing = code === "NOT_FOUND" || (notFound !== undefined && code === "INVALID")
  useEffect(() => {
    if (title && error && !missing) toast.error(title, error)
  }, [title, error, missing])
  return (
    <div className={classes.state} role="alert">
      <p className={classes.title}>{missing && notFound ? notFound : (title ?? "This could not be loaded")}</p>
      {!(missing && notFound) && <div className={classes.words}>{errorTextOf(error)}</div>}
      {!missing && (
        <div className={classes.action}>
          <RetryButton onRetry={onRetry} busy={busy} />
        </div>
      )}
    </div>
  )
}

export function RefreshFailed({ error, onRetry, busy, title = "This could not be refreshed." }: LoadFailedProps) {
  return (
    <InlineError tone="warning" action={<RetryButton onRetry={onRetry} busy={busy} />}>
      {title} {errorTextOf(error)} The data shown may be out of date.
    </InlineError>
  )
}

function RetryButton({ onRetry, busy }: { onRetry: () => void; busy?: boolean }) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={busy}
      leftSection={<IconRefresh size={14} />}
      onClick={() => onRetry()}
    >
      Retry
    </Button>
  )
}
