import { count, instant, list, record, status, text } from "../kernel/list.ts"

export const deliveryStates = ["waiting", "delivered", "given_up"] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const deliveryStateNames: Record<DeliveryState, string> = {
  waiting: "Waiting",
  delivered: "Delivered",
  given_up: "Failed",
}

const parseSeconds = (words: string): number => {
  const [, number, unit] = /^(\d+) (s|min|h)$/.exec(words)!
  return Number(number) * { s: 1, min: 60, h: 3600 }[unit as "s" | "min" | "h"]
}

/** Retry delays, about three days in total. */
const retryDelaysSeconds = ["5 s", "1 min", "5 min", "30 min", "2 h", "5 h", "10 h", "14 h", "20 h", "24 h"].map(
  parseSeconds,
)

/** Delay in seconds after `attempts` tries; null: give up. */
export const retryAfterSeconds = (attempts: number): number | null => retryDelaysSeconds[attempts - 1] ?? null

export const maxAttempts = retryDelaysSeconds.length + 1

/** Seconds until a try without outcome counts as interrupted: ten for the response, the rest to store the outcome. */
export const attemptTimeoutSeconds = 30

export const interruptedMessage = "The server stopped before a response was recorded."

/** Seconds to pause an address after consecutive failures, so it does not delay others. */
export const pauseSecondsAfter = (failures: number): number => Math.min(900, 15 * 2 ** Math.min(failures - 1, 10))

/** Hours in which messages are signed with both the old and the new secret. */
export const oldSecretHours = 24

/** Days until finished messages are deleted. */
export const deliveryRetentionDays = 30

export const maxWebhooks = 50

export const webhookActions = ["edit", "pause", "resume", "rotate", "test", "remove"] as const
export type WebhookAction = (typeof webhookActions)[number]

export const allowedWebhookActions = ({ isPaused }: { isPaused: boolean }): WebhookAction[] =>
  webhookActions.filter((action) => action !== (isPaused ? "pause" : "resume") && !(isPaused && action === "test"))

export const deliveriesList = list({
  key: "webhook-deliveries",
  noun: { one: "message", many: "messages" },
  permission: "integrations.manage",
  order: "-createdAt",
  tabs: {
    by: "state",
    views: {
      all: { label: "All", values: deliveryStates },
      waiting: { label: deliveryStateNames.waiting, values: ["waiting"] },
      delivered: { label: deliveryStateNames.delivered, values: ["delivered"] },
      given_up: { label: deliveryStateNames.given_up, values: ["given_up"] },
    },
  },
  filters: { webhookId: record("Webhook", "webhook") },
  columns: {
    createdAt: instant("Occurred", { sort: true }),
    event: text("Event"),
    label: text("Record"),
    state: status("Status", deliveryStateNames),
    attempts: count("Attempts"),
    answer: text("Response"),
    finishedAt: instant("Delivered"),
  },
})
