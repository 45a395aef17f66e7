import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { line, recipientLine, text } from "../kernel/text-shape.ts"
import { mailStates } from "../platform/mail-states.ts"
import { mailedDocuments, maxMailsListed } from "./delivery.ts"

/** Empty for employer users. */
export const deliveredMail = z.object({
  id: z.uuid(),
  to: z.string(),
  state: z.enum(mailStates),
  error: z.string().nullable(),
  createdAt: instant,
  sentAt: instant.nullable(),
})
/** Newest first; older mails are in the outbox. */
export const deliveredMails = z.array(deliveredMail).max(maxMailsListed)
export type DeliveredMail = z.infer<typeof deliveredMail>

export const mailedDocument = z.object({ kind: z.enum(mailedDocuments), documentId: z.uuid() })

export const documentMail = z.object({
  to: recipientLine("Enter the recipient's e-mail address"),
  subject: line(200).min(1, "Enter a subject"),
  text: text(5_000).min(1, "Enter the text"),
})
export type DocumentMail = z.infer<typeof documentMail>
