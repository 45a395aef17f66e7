import { z } from "zod"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { read } from "../kernel/procedure.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { creditNoteDetail, listedCreditNote } from "./credit-note-shape.ts"
import { creditNotesList } from "./credit-notes.list.ts"

const tags = ["Credit notes"]

export const creditNotesContract = {
  /** Credit notes, newest first, with the sum of all that match. Employers' people see those of their groups. */
  list: read("invoices.read")
    .route({ method: "GET", path: "/credit-notes", summary: "List credit notes", tags })
    .input(listInput(creditNotesList))
    .output(listOutput(creditNotesList, listedCreditNote)),

  /** One credit note with its mails and history. NOT_FOUND where there is none that the reader may see. */
  detail: read("invoices.read", { shows: "credit_note" })
    .route({ method: "GET", path: "/credit-notes/{creditNoteId}", summary: "Read a credit note", tags })
    .input(z.object({ creditNoteId: z.uuid() }))
    .output(creditNoteDetail),

  /** A page of what happened to a credit note, newest first. NOT_FOUND as for it. */
  activity: read("invoices.read")
    .route({
      method: "GET",
      path: "/credit-notes/{creditNoteId}/activity",
      summary: "The trail of a credit note",
      tags,
    })
    .input(z.object({ creditNoteId: z.uuid(), ...timelineBefore }))
    .output(timelinePage),
}
