import { type StaffListStatus, staffListStatusLabels } from "@milkwood/domain/staff-lists/staff-list"
import type { ListedStaffList } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { StatusBadge } from "../ui/status-badge.tsx"

const statusTones: Record<StaffListStatus, string> = {
  uploaded: "waiting",
  checking: "running",
  ready: "previewed",
  committing: "processing",
  completed: "completed",
  undone: "undone",
  failed: "failed",
  discarded: "cancelled",
}

type ListCounts = Pick<ListedStaffList, "status" | "errorCount" | "rowCount">

/** "Ready to import" would be untrue if every row was refused. */
export function StaffListStatusBadge({ found, size }: { found: ListCounts; size?: "sm" | "md" }) {
  const nothing = found.status === "ready" && areAllRowsRejected(found)
  return (
    <StatusBadge
      status={nothing ? "failed" : statusTones[found.status]}
      label={nothing ? "All rows rejected" : staffListStatusLabels[found.status]}
      size={size}
    />
  )
}

export const areAllRowsRejected = ({ errorCount, rowCount }: Omit<ListCounts, "status">): boolean =>
  rowCount > 0 && errorCount === rowCount
