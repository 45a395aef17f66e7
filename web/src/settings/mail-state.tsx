import { mailStateNames, type MailState as State } from "@milkwood/domain/platform/mail-states"
import type { MailRow } from "@milkwood/domain/settings/settings.contract"
import { StatusBadge } from "../ui/status-badge.tsx"

const stateLooks: Record<State, string> = { queued: "waiting", sent: "delivered", kept: "kept", failed: "failed" }

export function MailState({ mail }: { mail: Pick<MailRow, "state"> }) {
  return <StatusBadge status={stateLooks[mail.state]} label={mailStateNames[mail.state]} />
}
