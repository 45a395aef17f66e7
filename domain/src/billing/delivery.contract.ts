import { z } from "zod"
import { read, write } from "../kernel/procedure.ts"
import { documentMail, mailedDocument } from "./delivery-shape.ts"

const tags = ["Invoices"]

export const deliveryContract = {
  /** The mail of a sent invoice or a credit note as it would go to the policy's contact, to be edited. */
  draft: read("invoices.write")
    .route({ method: "GET", path: "/billing-mails/draft", summary: "Show a document's covering mail", tags })
    .input(mailedDocument)
    .output(z.object({ to: z.string(), subject: z.string(), text: z.string() })),

  /**
   * Mails a sent invoice or a credit note once more, to whoever is named, with the PDF that was kept. NOT_SENT for an
   * invoice that is still a draft or pending, or was cancelled. `mailed` is false where no mail server is set up: the
   * mail stays in the outbox.
   */
  send: write("invoices.write", { idempotent: true })
    .route({ method: "POST", path: "/billing-mails", summary: "Mail a document again", tags })
    .input(mailedDocument.extend({ idempotencyKey: z.uuid(), mail: documentMail }))
    .output(z.object({ mailed: z.boolean() }))
    .errors({ NOT_SENT: { status: 409, message: "Only an invoice that was sent can be mailed again." } }),
}
