import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { line } from "../kernel/text-shape.ts"
import { deliveriesList, deliveryStates, maxWebhooks, webhookActions } from "./webhook.ts"
import { webhookEventNames } from "./webhook-events.ts"

const tags = ["Webhooks"]

export const webhookRow = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  isPaused: z.boolean(),
  /** Messages to deliver, and messages given up and not resent. */
  waiting: z.int(),
  givenUp: z.int(),
  lastDeliveredAt: instant.nullable(),
  /** The last error while deliveries fail. */
  lastError: z.string().nullable(),
  /** Until this time, messages are also signed with the previous secret. */
  oldSecretUntil: instant.nullable(),
  madeBy: z.string(),
  madeAt: instant,
  version: z.int(),
  allowedActions: z.array(z.enum(webhookActions)),
})
export type WebhookRow = z.infer<typeof webhookRow>

export const deliveryRow = z.object({
  /** The `webhook-id` header, the same for every try. */
  id: z.uuid(),
  event: z.string(),
  /** The record's number; empty if it has none. */
  label: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  isUnderWay: z.boolean(),
  /** The last answer or error; empty before the first and during a try. */
  answer: z.string(),
  createdAt: instant,
  nextAttemptAt: instant.nullable(),
  finishedAt: instant.nullable(),
  allowedActions: z.array(z.enum(["resend"])),
})
export type DeliveryRow = z.infer<typeof deliveryRow>

export const deliveryDetail = deliveryRow.extend({
  webhook: z.object({ id: z.uuid(), name: z.string() }),
  /** The body exactly as sent. */
  body: z.string(),
  tries: z.array(
    z.object({
      at: instant,
      isUnderWay: z.boolean(),
      /** Milliseconds to the answer; null if none was recorded. */
      ms: z.int().nullable(),
      /** HTTP status; null without an answer. */
      status: z.int().nullable(),
      /** The start of the answer, or the error. */
      said: z.string(),
    }),
  ),
})
export type DeliveryDetail = z.infer<typeof deliveryDetail>

const fields = {
  name: line(100, "Use at most 100 characters for the name").min(1, "Enter a name for the webhook"),
  url: line(2000, "Use at most 2 000 characters for the address").min(1, "Enter the address"),
  events: z.array(z.enum(webhookEventNames)).min(1, "Choose at least one event").max(webhookEventNames.length),
}
const versioned = z.object({ webhookId: z.uuid(), version: z.int() })
const withSecret = z.object({ secret: z.string(), webhook: webhookRow })
const webhookPaused = { PAUSED: { status: 409, message: "This webhook is paused. Resume it first." } } as const

export const webhooksContract = {
  list: readProcedure("integrations.manage")
    .route({ method: "GET", path: "/webhooks", summary: "List the webhooks", tags })
    .output(z.object({ webhooks: z.array(webhookRow) })),

  /** NOT_FOUND if there is none. */
  detail: readProcedure("integrations.manage")
    .route({ method: "GET", path: "/webhooks/{webhookId}", summary: "Read a webhook", tags })
    .input(z.object({ webhookId: z.uuid() }))
    .output(webhookRow),

  /**
   * Makes a webhook and returns its signing secret once. Events are sent as signed POSTs (Standard Webhooks). INVALID
   * for an address without https or in the internal network. PROOF_REQUIRED.
   */
  make: writeProcedure("integrations.manage")
    .route({ method: "POST", path: "/webhooks", summary: "Create a webhook", tags })
    .input(z.object(fields))
    .output(withSecret)
    .errors({
      ...proofRequired,
      TOO_MANY_WEBHOOKS: {
        status: 409,
        message: `You already have ${maxWebhooks} webhooks, the maximum. Remove one first.`,
      },
    }),

  /** Changes name, address or events. Waiting messages use the new address. PROOF_REQUIRED, STALE. */
  edit: writeProcedure("integrations.manage")
    .route({ method: "PUT", path: "/webhooks/{webhookId}", summary: "Edit a webhook", tags })
    .input(versioned.extend(fields))
    .output(webhookRow)
    .errors(proofRequired),

  /** Stops sending; messages wait until it is resumed. */
  pause: writeProcedure("integrations.manage")
    .route({ method: "POST", path: "/webhooks/{webhookId}/pause", summary: "Pause a webhook", tags })
    .input(versioned)
    .output(webhookRow),

  /** Sends waiting messages. */
  resume: writeProcedure("integrations.manage")
    .route({ method: "POST", path: "/webhooks/{webhookId}/resume", summary: "Resume a webhook", tags })
    .input(versioned)
    .output(webhookRow),

  /** Makes a new secret, returned once. The old one also signs for a day. PROOF_REQUIRED. */
  rotate: writeProcedure("integrations.manage")
    .route({ method: "POST", path: "/webhooks/{webhookId}/secret", summary: "Create a new secret", tags })
    .input(versioned)
    .output(withSecret)
    .errors(proofRequired),

  /** Removes a webhook; waiting messages are not sent. */
  remove: writeProcedure("integrations.manage")
    .route({ method: "DELETE", path: "/webhooks/{webhookId}", summary: "Remove a webhook", tags })
    .input(versioned)
    .output(z.object({})),

  /** Sends a `webhook.test` message the usual way. PAUSED. */
  test: writeProcedure("integrations.manage")
    .route({ method: "POST", path: "/webhooks/{webhookId}/test", summary: "Send a test message", tags })
    .input(z.object({ webhookId: z.uuid() }))
    .output(deliveryDetail)
    .errors(webhookPaused),

  deliveries: {
    /** Lists messages, newest first, with counts per state. Finished messages are kept for thirty days. */
    list: readProcedure("integrations.manage")
      .route({
        method: "GET",
        path: "/webhooks/{webhookId}/deliveries",
        summary: "List the messages of a webhook",
        tags,
      })
      .input(listInput(deliveriesList, { webhookId: z.uuid() }))
      .output(listOutput(deliveriesList, deliveryRow)),

    /** A message with its body, tries and answers. NOT_FOUND. */
    detail: readProcedure("integrations.manage")
      .route({ method: "GET", path: "/webhooks/deliveries/{deliveryId}", summary: "Read a message", tags })
      .input(z.object({ deliveryId: z.uuid() }))
      .output(deliveryDetail),

    /** Resends a message at once with the same id, keeping earlier tries. PAUSED; BUSY during a try. */
    resend: writeProcedure("integrations.manage")
      .route({ method: "POST", path: "/webhooks/deliveries/{deliveryId}/resend", summary: "Send again", tags })
      .input(z.object({ deliveryId: z.uuid() }))
      .output(deliveryDetail)
      .errors(webhookPaused),
  },
}
