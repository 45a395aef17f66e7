import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { line } from "../kernel/text-shape.ts"
import { deliveriesList, deliveryStates, mostWebhooks, webhookActions } from "./webhook.ts"
import { webhookEventNames } from "./webhook-events.ts"

const tags = ["Webhooks"]

export const webhookRow = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  isPaused: z.boolean(),
  /** messages that are still to be delivered, and those that were given up and not sent again since */
  waiting: z.int(),
  givenUp: z.int(),
  lastDeliveredAt: instant.nullable(),
  /** while its answers fail: what was said last */
  lastError: z.string().nullable(),
  /** until when messages are signed with the secret before the present one, too */
  oldSecretUntil: instant.nullable(),
  madeBy: z.string(),
  madeAt: instant,
  version: z.int(),
  allowedActions: z.array(z.enum(webhookActions)),
})
export type WebhookRow = z.infer<typeof webhookRow>

export const deliveryRow = z.object({
  /** the message's own: its header webhook-id, the same at every try */
  id: z.uuid(),
  event: z.string(),
  /** the number of the record it is about; empty where it has none */
  label: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  /** whether a try is on its way at this moment */
  isUnderWay: z.boolean(),
  /** what the last try was answered, or why there was no answer; empty before the first, and while one is on its way */
  answer: z.string(),
  createdAt: instant,
  nextAttemptAt: instant.nullable(),
  finishedAt: instant.nullable(),
  allowedActions: z.array(z.enum(["resend"])),
})
export type DeliveryRow = z.infer<typeof deliveryRow>

export const deliveryDetail = deliveryRow.extend({
  /** where it goes */
  webhook: z.object({ id: z.uuid(), name: z.string() }),
  /** what is sent, to the letter */
  body: z.string(),
  tries: z.array(
    z.object({
      at: instant,
      /** whether it is on its way at this moment */
      isUnderWay: z.boolean(),
      /** how long the answer took, in milliseconds; null while there is none on record, for ever where the server died */
      ms: z.int().nullable(),
      /** the status of the answer; null where there was none */
      status: z.int().nullable(),
      /** the beginning of the answer, or why there is none */
      said: z.string(),
    }),
  ),
})
export type DeliveryDetail = z.infer<typeof deliveryDetail>

const fields = {
  name: line(100, "A name has at most 100 characters").min(1, "Give the webhook a name"),
  url: line(2000, "An address has at most 2,000 characters").min(1, "Give the address"),
  events: z.array(z.enum(webhookEventNames)).min(1, "Choose at least one event").max(webhookEventNames.length),
}
const versioned = z.object({ webhookId: z.uuid(), version: z.int() })
const withSecret = z.object({ secret: z.string(), webhook: webhookRow })
const isPaused = { PAUSED: { status: 409, message: "This webhook is paused. Resume it first." } } as const

export const webhooksContract = {
  /** The webhooks, by their names. */
  list: read("integrations.manage")
    .route({ method: "GET", path: "/webhooks", summary: "List the webhooks", tags })
    .output(z.object({ webhooks: z.array(webhookRow) })),

  /** One webhook. NOT_FOUND where there is none. */
  detail: read("integrations.manage")
    .route({ method: "GET", path: "/webhooks/{webhookId}", summary: "One webhook", tags })
    .input(z.object({ webhookId: z.uuid() }))
    .output(webhookRow),

  /**
   * Makes a webhook, and answers the secret that its messages are signed with this once. From now on each of the events
   * is sent to the address as a POST, signed as Standard Webhooks says. INVALID for an address that is not https, or
   * that is of the inner network. PROOF_REQUIRED.
   */
  make: write("integrations.manage")
    .route({ method: "POST", path: "/webhooks", summary: "Make a webhook", tags })
    .input(z.object(fields))
    .output(withSecret)
    .errors({ ...proofRequired, TOO_MANY_WEBHOOKS: { status: 409, message: `There are ${mostWebhooks} webhooks.` } }),

  /** Changes name, address or events. What waits goes to the new address. PROOF_REQUIRED, STALE. */
  edit: write("integrations.manage")
    .route({ method: "PUT", path: "/webhooks/{webhookId}", summary: "Change a webhook", tags })
    .input(versioned.extend(fields))
    .output(webhookRow)
    .errors(proofRequired),

  /** Nothing is sent until it is resumed; what happens meanwhile waits. */
  pause: write("integrations.manage")
    .route({ method: "POST", path: "/webhooks/{webhookId}/pause", summary: "Pause a webhook", tags })
    .input(versioned)
    .output(webhookRow),

  /** What waits is sent. */
  resume: write("integrations.manage")
    .route({ method: "POST", path: "/webhooks/{webhookId}/resume", summary: "Resume a webhook", tags })
    .input(versioned)
    .output(webhookRow),

  /** Makes another secret, answered this once. For a day messages are signed with the one before it, too. PROOF_REQUIRED. */
  rotate: write("integrations.manage")
    .route({ method: "POST", path: "/webhooks/{webhookId}/secret", summary: "Make a new secret", tags })
    .input(versioned)
    .output(withSecret)
    .errors(proofRequired),

  /** Removes a webhook; what waits is not sent. */
  remove: write("integrations.manage")
    .route({ method: "DELETE", path: "/webhooks/{webhookId}", summary: "Remove a webhook", tags })
    .input(versioned)
    .output(z.object({})),

  /** Sends a message of type `webhook.test`, the way of all messages. PAUSED. */
  test: write("integrations.manage")
    .route({ method: "POST", path: "/webhooks/{webhookId}/test", summary: "Send a test message", tags })
    .input(z.object({ webhookId: z.uuid() }))
    .output(deliveryDetail)
    .errors(isPaused),

  deliveries: {
    /** The messages of a webhook, newest first, with the number of each state; for thirty days after their end. */
    list: read("integrations.manage")
      .route({ method: "GET", path: "/webhooks/{webhookId}/deliveries", summary: "List the messages", tags })
      .input(listInput(deliveriesList, { webhookId: z.uuid() }))
      .output(listOutput(deliveriesList, deliveryRow)),

    /** A message with what is sent, and each try with its answer. NOT_FOUND. */
    detail: read("integrations.manage")
      .route({ method: "GET", path: "/webhooks/deliveries/{deliveryId}", summary: "One message", tags })
      .input(z.object({ deliveryId: z.uuid() }))
      .output(deliveryDetail),

    /** Sends a message again at once, with the same id and all its tries before it. PAUSED, BUSY while it is on its way. */
    resend: write("integrations.manage")
      .route({ method: "POST", path: "/webhooks/deliveries/{deliveryId}/resend", summary: "Send again", tags })
      .input(z.object({ deliveryId: z.uuid() }))
      .output(deliveryDetail)
      .errors(isPaused),
  },
}
