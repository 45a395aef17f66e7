import { z } from "zod"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { documentMail, mailedDocument } from "./delivery-shape.ts"

const tags = ["Invoices"]

export const deliveryContract = {
  /**
   * The default mail of a sent invoice or credit note to the policy's contact, for editing. `dueCents` is the amount
   * due that the text states.
   */
  draft: readProcedure("invoices.write")
    .route({ method: "GET", path: "/billing-mails/draft", summary: "Read the covering e-mail of a document", tags })
    .input(mailedDocument)
    .output(z.object({ to: z.string(), subject: z.string(), text: z.string(), dueCents: cents.nullable() })),

  /**
   * Mails a sent invoice or credit note again, to any address, with the stored PDF. If the invoice was partly credited,
   * paid or written off, the PDF is a copy with the amount due. NOT_SENT for an invoice that is not sent.
   * AMOUNT_CHANGED if the amount due is no longer `dueCents`. `mailed` is false without a mail server: the mail stays
   * in the outbox.
   */
  send: writeProcedure("invoices.write", { idempotent: true })
    .route({ method: "POST", path: "/billing-mails", summary: "Email a document again", tags })
    .input(
      mailedDocument.extend({ idempotencyKey: z.uuid(), mail: documentMail, dueCents: cents.nullable().default(null) }),
    )
    .output(z.object({ mailed: z.boolean() }))
    .errors({
      NOT_SENT: { status: 409, message: "Only a sent invoice can be emailed again." },
      AMOUNT_CHANGED: {
        status: 409,
        message: "The amount due has changed since this text was written. Close the dialog and open it again.",
      },
    }),
}
