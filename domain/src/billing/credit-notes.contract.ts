import { z } from "zod"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { readProcedure } from "../kernel/procedure.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { creditNoteDetail, listedCreditNote } from "./credit-note-shape.ts"
import { creditNotesList } from "./credit-notes.list.ts"

const tags = ["Credit notes"]

export const creditNotesContract = {
  /** Credit notes, newest first, with the sum of all matches. Employer users see only their employers' credit notes. */
  list: readProcedure("invoices.read")
    .route({ method: "GET", path: "/credit-notes", summary: "List credit notes", tags })
    .input(listInput(creditNotesList))
    .output(listOutput(creditNotesList, listedCreditNote)),

  /** NOT_FOUND unless the reader may see the credit note. */
  detail: readProcedure("invoices.read", { shows: "credit_note" })
    .route({ method: "GET", path: "/credit-notes/{creditNoteId}", summary: "Read a credit note", tags })
    .input(z.object({ creditNoteId: z.uuid() }))
    .output(creditNoteDetail),

  /** Newest first. */
  activity: readProcedure("invoices.read")
    .route({
      method: "GET",
      path: "/credit-notes/{creditNoteId}/activity",
      summary: "Read the audit trail of a credit note",
      tags,
    })
    .input(z.object({ creditNoteId: z.uuid(), ...timelineBefore }))
    .output(timelinePage),
}
