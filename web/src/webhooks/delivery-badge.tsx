import { type DeliveryState, deliveryStateNames } from "@milkwood/domain/webhooks/webhook"
import type { DeliveryRow } from "@milkwood/domain/webhooks/webhooks.contract"
import { StatusBadge } from "../ui/status-badge.tsx"

const stateLooks: Record<DeliveryState, string> = { waiting: "waiting", delivered: "delivered", given_up: "failed" }

export function DeliveryBadge({ message, size }: { message: Pick<DeliveryRow, "state" | "isUnderWay">; size?: "md" }) {
  const { state, isUnderWay } = message
  const look = isUnderWay
    ? { status: "sent", label: "Sending" }
    : { status: stateLooks[state], label: deliveryStateNames[state] }
  return <StatusBadge {...look} {...(size && { size })} />
}
