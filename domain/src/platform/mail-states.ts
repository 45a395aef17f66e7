/** kept: no SMTP, readable in the outbox; failed: given up after two days of retries. */
export const mailStates = ["queued", "sent", "kept", "failed"] as const
export type MailState = (typeof mailStates)[number]

export const mailStateNames: Record<MailState, string> = {
  queued: "Waiting",
  sent: "Delivered",
  kept: "Not delivered",
  failed: "Failed",
}
