import type { MailState } from "@milkwood/domain/platform/mail-states"

export const mailStateLooks: Record<MailState, string> = {
  queued: "waiting",
  sent: "delivered",
  kept: "kept",
  failed: "failed",
}
