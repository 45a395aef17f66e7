import type { MailState as State } from "@milkwood/domain/platform/mail-states"
import type { MailRow } from "@milkwood/domain/settings/settings.contract"
import { StatusBadge } from "../ui/status-badge.tsx"

const looks: Record<State, { status: string; word: string }> = {
  queued: { status: "waiting", word: "Waiting" },
  sent: { status: "delivered", word: "Delivered" },
  kept: { status: "kept", word: "Not sent" },
  failed: { status: "failed", word: "Failed" },
}

export function MailState({ mail }: { mail: Pick<MailRow, "state"> }) {
  const { status, word } = looks[mail.state]
  return <StatusBadge status={status} label={word} />
}
