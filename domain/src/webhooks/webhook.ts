import { count, instant, list, record, status, text } from "../kernel/list.ts"

/** Where a message is on its way to a program. */
export const deliveryStates = ["waiting", "delivered", "given_up"] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const deliveryStateNames: Record<DeliveryState, string> = {
  waiting: "Waiting",
  delivered: "Delivered",
  given_up: "Given up",
}

const seconds = (words: string): number => {
  const [, number, unit] = /^(\d+) (s|min|h)$/.exec(words)!
  return Number(number) * { s: 1, min: 60, h: 3600 }[unit as "s" | "min" | "h"]
}

/** How long is waited after each try that failed: at first little, and about three days in all. */
const waits = ["5 s", "1 min", "5 min", "30 min", "2 h", "5 h", "10 h", "14 h", "20 h", "24 h"].map(seconds)

/** Seconds until the next try after so many; null where the message is given up. */
export const retryAfterSeconds = (attempts: number): number | null => waits[attempts - 1] ?? null

/** A message is tried so often. */
export const mostAttempts = waits.length + 1

/** The outcome of a try is waited for so many seconds: an answer has ten, and then it is put on record. */
export const trySeconds = 30

/** What stands beside a try that has no outcome, when its time is over. */
export const interrupted = "The server stopped before an answer was kept."

/** Seconds for which nothing is sent to an address that did not answer so many times in a row: it costs all others time. */
export const holdSeconds = (failures: number): number => Math.min(900, 15 * 2 ** Math.min(failures - 1, 10))

/** After a new secret was made, messages are signed with both for so many hours, so that the program can be given it. */
export const oldSecretHours = 24

/** Messages that came to an end are forgotten after so many days. */
export const deliveriesKeptDays = 30

/** There are at most so many webhooks. */
export const mostWebhooks = 50

export const webhookActions = ["edit", "pause", "resume", "rotate", "test", "remove"] as const
export type WebhookAction = (typeof webhookActions)[number]

/** What may be done with a webhook now. */
export const allowedWebhookActions = ({ isPaused }: { isPaused: boolean }): WebhookAction[] =>
  webhookActions.filter((action) => action !== (isPaused ? "pause" : "resume") && !(isPaused && action === "test"))

/** The messages of a webhook, the newest first. */
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
    createdAt: instant("Happened", { sort: true }),
    event: text("What happened"),
    label: text("Record"),
    state: status("State", deliveryStateNames),
    attempts: count("Tries"),
    answer: text("Answer"),
    finishedAt: instant("Delivered"),
  },
})
