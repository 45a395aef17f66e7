import { mailStateNames } from "@milkwood/domain/platform/mail-states"
import type { MailRow } from "@milkwood/domain/settings/settings.contract"
import { mailStateLooks } from "../ui/mail-state-looks.ts"
import { StatusBadge } from "../ui/status-badge.tsx"

export function MailState({ mail }: { mail: Pick<MailRow, "state"> }) {
  return <StatusBadge status={mailStateLooks[mail.state]} label={mailStateNames[mail.state]} />
}
