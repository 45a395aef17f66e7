/** queued: waiting to go out; sent; kept: no SMTP, read it in the outbox; failed: given up after two days of trying. */
export const mailStates = ["queued", "sent", "kept", "failed"] as const
export type MailState = (typeof mailStates)[number]

export const mailStateNames: Record<MailState, string> = {
  queued: "Waiting",
  sent: "Delivered",
  kept: "Not sent",
  failed: "Failed",
}
