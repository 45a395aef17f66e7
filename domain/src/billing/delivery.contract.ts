import { z } from "zod"
import { cents } from "../kernel/money-shape.ts"
import { read, write } from "../kernel/procedure.ts"
import { documentMail, mailedDocument } from "./delivery-shape.ts"

const tags = ["Invoices"]

export const deliveryContract = {
  /**
   * The mail of a sent invoice or a credit note as it would go to the policy's contact, to be edited. `dueCents` is what
   * the text says remains due of an invoice.
   */
  draft: read("invoices.write")
    .route({ method: "GET", path: "/billing-mails/draft", summary: "Show a document's covering mail", tags })
    .input(mailedDocument)
    .output(z.object({ to: z.string(), subject: z.string(), text: z.string(), dueCents: cents.nullable() })),

  /**
   * Mails a sent invoice or a credit note once more, to whoever is named. The PDF that was kept is attached; for an invoice
   * of which anything was credited, paid or written off, a copy that states these amounts and what remains due. NOT_SENT
   * for an invoice that is still a draft or pending, or was cancelled. AMOUNT_CHANGED where `dueCents` is given, as the
   * draft had it, and another amount is due now. `mailed` is false where no mail server is set up: the mail stays in the
   * outbox.
   */
  send: write("invoices.write", { idempotent: true })
    .route({ method: "POST", path: "/billing-mails", summary: "Mail a document again", tags })
    .input(
      mailedDocument.extend({ idempotencyKey: z.uuid(), mail: documentMail, dueCents: cents.nullable().default(null) }),
    )
    .output(z.object({ mailed: z.boolean() }))
    .errors({
      NOT_SENT: { status: 409, message: "Only an invoice that was sent can be mailed again." },
      AMOUNT_CHANGED: {
        status: 409,
        message: "The amount due has changed since this text was written. Close the dialog and open it again.",
      },
    }),
}
