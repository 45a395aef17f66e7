import { type ImportStatus, importStatusLabels } from "@milkwood/domain/staff-lists/staff-list"
import type { ImportRow } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { StatusBadge } from "../ui/status-badge.tsx"

/** Under which of the house's statuses an import shows its own word. */
const tones: Record<ImportStatus, string> = {
  uploaded: "waiting",
  checking: "running",
  ready: "previewed",
  committing: "processing",
  completed: "completed",
  undone: "undone",
  failed: "failed",
  discarded: "cancelled",
}

/** Where every row was refused, "Ready to import" would be untrue. */
export function ImportStatusBadge({ found, size }: { found: ImportRow; size?: "sm" | "md" }) {
  const nothing = found.status === "ready" && allRefused(found)
  return (
    <StatusBadge
      status={nothing ? "failed" : tones[found.status]}
      label={nothing ? "All rows refused" : importStatusLabels[found.status]}
      size={size}
    />
  )
}

export const allRefused = ({ errorCount, rowCount }: ImportRow): boolean => rowCount > 0 && errorCount === rowCount
