import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { emailAddress, line, text } from "../kernel/text-shape.ts"
import { mailStates } from "../platform/mail-states.ts"
import { mailedDocuments, mailsShown } from "./delivery.ts"

/** A mail with a document, as the outbox knows it. Shown to the insurer's people alone. */
export const deliveredMail = z.object({
  id: z.uuid(),
  to: z.string(),
  state: z.enum(mailStates),
  /** What the mail server said when it did not take it; null where nothing went wrong. */
  error: z.string().nullable(),
  createdAt: instant,
  sentAt: instant.nullable(),
})
/** The last mails of a document are shown, newest first; whoever needs older ones finds them in the mail outbox. */
export const deliveredMails = z.array(deliveredMail).max(mailsShown)
export type DeliveredMail = z.infer<typeof deliveredMail>

/** A sent invoice or a credit note. */
export const mailedDocument = z.object({ kind: z.enum(mailedDocuments), documentId: z.uuid() })

/** A mail as it is typed. */
export const documentMail = z.object({
  to: emailAddress("Give the e-mail address of the recipient"),
  subject: line(200).min(1, "Give a subject"),
  text: text(5_000).min(1, "Write a text"),
})
export type DocumentMail = z.infer<typeof documentMail>
