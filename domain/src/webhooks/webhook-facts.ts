interface WebhookFactHead {
  record: { kind: "webhook"; id: string; label: string }
  groupId: null
}
interface WebhookFactDetails {
  name: string
  url: string
  events: string[]
}

/** Secrets are never part of a fact. */
export type WebhookFact = WebhookFactHead &
  (
    | { type: "WebhookMade"; after: WebhookFactDetails }
    | { type: "WebhookChanged"; before: Partial<WebhookFactDetails>; after: Partial<WebhookFactDetails> }
    | { type: "WebhookPaused" | "WebhookResumed" | "WebhookSecretRenewed" | "WebhookRemoved" | "WebhookTested" }
    | { type: "WebhookSentAgain"; event: string }
    | { type: "WebhookGaveUp"; event: string; reason: string }
  )

type FactOf<T extends WebhookFact["type"]> = Extract<WebhookFact, { type: T }>

export const webhookSentences = {
  WebhookMade: ({ after }: FactOf<"WebhookMade">) => `created the webhook to ${after.url}`,
  WebhookChanged: () => "edited the webhook",
  WebhookPaused: () => "paused the webhook",
  WebhookResumed: () => "resumed the webhook",
  WebhookSecretRenewed: () => "created a new secret for the webhook",
  WebhookRemoved: () => "removed the webhook",
  WebhookTested: () => "sent a test message",
  WebhookSentAgain: ({ event }: FactOf<"WebhookSentAgain">) => `resent the message ${event}`,
  WebhookGaveUp: ({ event, reason }: FactOf<"WebhookGaveUp">) => `stopped sending the message ${event}: ${reason}`,
}
