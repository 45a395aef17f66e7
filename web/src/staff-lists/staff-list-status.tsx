import { type StaffListStatus, staffListStatusLabels } from "@milkwood/domain/staff-lists/staff-list"
import type { ListedStaffList } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { StatusBadge } from "../ui/status-badge.tsx"

/** Under which of the house's statuses an import shows its own word. */
const tones: Record<StaffListStatus, string> = {
  uploaded: "waiting",
  checking: "running",
  ready: "previewed",
  committing: "processing",
  completed: "completed",
  undone: "undone",
  failed: "failed",
  discarded: "cancelled",
}

type Counted = Pick<ListedStaffList, "status" | "errorCount" | "rowCount">

/** Where every row was refused, "Ready to import" would be untrue. */
export function StaffListStatusBadge({ found, size }: { found: Counted; size?: "sm" | "md" }) {
  const nothing = found.status === "ready" && allRefused(found)
  return (
    <StatusBadge
      status={nothing ? "failed" : tones[found.status]}
      label={nothing ? "All rows refused" : staffListStatusLabels[found.status]}
      size={size}
    />
  )
}

export const allRefused = ({ errorCount, rowCount }: Omit<Counted, "status">): boolean =>
  rowCount > 0 && errorCount === rowCount
