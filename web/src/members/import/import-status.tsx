import { type ImportStatus, importStatusLabels } from "@milkwood/domain/members/member-import"
import { StatusBadge } from "../../ui/status-badge.tsx"

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

export function ImportStatusBadge({ status, size }: { status: ImportStatus; size?: "sm" | "md" }) {
  return <StatusBadge status={tones[status]} label={importStatusLabels[status]} size={size} />
}
