import type { MailState } from "@milkwood/domain/platform/mail-states"

export const deliveryLooks: Record<MailState, string> = {
  queued: "waiting",
  sent: "delivered",
  kept: "kept",
  failed: "failed",
}
