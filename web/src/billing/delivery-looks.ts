import type { MailState } from "@milkwood/domain/platform/mail-states"

/** How the badge of a mail looks, by how far it got. */
export const deliveryLooks: Record<MailState, string> = {
  queued: "waiting",
  sent: "delivered",
  kept: "kept",
  failed: "failed",
}
