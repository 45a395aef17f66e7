import { z } from "zod"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import {
  letterInput,
  letterKind,
  letterMail,
  letterPreview,
  letterRecord,
  letterTemplateRow,
  letterText,
  letterWording,
  recordLetters,
} from "./letter-shape.ts"

const tags = ["Letters"]

const notPossible = {
  NOT_POSSIBLE: { status: 409, message: "The record's status does not allow this letter." },
} as const

const employerAddress = {
  EMPLOYER_ADDRESS: {
    status: 409,
    message:
      "This is an address of the employer. Letters about claims and members go to the person, not to the employer.",
  },
} as const

/**
 * Letters to claimants, members and employers: written from a template, stored with their wording and PDF, never changed.
 * Only the insurer's staff have access.
 */
export const lettersContract = {
  /** The letters of a claim, member or policy, and the kinds that can be written now. Refuses NOT_FOUND. */
  list: readProcedure("letters.read")
    .route({ method: "GET", path: "/letters", summary: "List the letters of a record", tags })
    .input(letterRecord)
    .output(recordLetters),

  /**
   * The wording of a letter if it were written now. Refuses NOT_FOUND, and NOT_POSSIBLE if the record's status does not
   * allow the letter.
   */
  preview: readProcedure("letters.write")
    .route({ method: "POST", path: "/letters/preview", summary: "Preview a letter", tags })
    .errors(notPossible)
    .input(letterInput)
    .output(letterPreview),

  /**
   * Writes the letter that was previewed: stores wording and PDF, and mails it if `mail` is given. Refuses
   * WORDING_CHANGED if template or record have changed since the preview, NOT_FOUND, NOT_POSSIBLE, and EMPLOYER_ADDRESS
   * for a letter about a claim or a member to an address of the employer.
   */
  create: writeProcedure("letters.write", { idempotent: true })
    .route({ method: "POST", path: "/letters", summary: "Write a letter", tags })
    .errors({
      ...notPossible,
      ...employerAddress,
      WORDING_CHANGED: {
        status: 409,
        message: "The template or the record has changed since this preview. Preview the letter again.",
      },
    })
    .input(
      letterInput.extend({
        fingerprint: z.string().max(64),
        mail: letterMail.nullable().default(null),
        idempotencyKey: z.uuid(),
      }),
    )
    .output(recordLetters.extend({ letterId: z.uuid(), mailed: z.boolean() })),

  /**
   * Mails a letter with its PDF, again or for the first time. `mailed` is false without a mail server: the mail stays in
   * the outbox. Refuses NOT_FOUND, EMPLOYER_ADDRESS as `create`, and ANONYMISED for a letter of an anonymised member.
   */
  send: writeProcedure("letters.write", { idempotent: true })
    .route({ method: "POST", path: "/letters/{letterId}/send", summary: "Email a letter", tags })
    .errors({
      ...employerAddress,
      ANONYMISED: { status: 409, message: "This member was anonymised. The letter no longer exists." },
    })
    .input(z.object({ letterId: z.uuid(), mail: letterMail, idempotencyKey: z.uuid() }))
    .output(recordLetters.extend({ mailed: z.boolean() })),

  templates: {
    /** All templates with their current text. */
    list: readProcedure("settings.manage")
      .route({ method: "GET", path: "/letter-templates", summary: "List the letter templates", tags })
      .output(z.array(letterTemplateRow)),

    /**
     * Saves a template as a new version; letters written before keep their wording. Refuses INVALID for unknown or
     * missing placeholders, by name, and STALE.
     */
    save: writeProcedure("settings.manage")
      .route({ method: "PUT", path: "/letter-templates/{kind}", summary: "Edit a letter template", tags })
      .input(z.object({ kind: letterKind, version: z.int(), template: letterText }))
      .output(letterTemplateRow),

    /** An unsaved template filled with sample values. Refuses INVALID as `save` does. */
    preview: readProcedure("settings.manage")
      .route({ method: "POST", path: "/letter-templates/{kind}/preview", summary: "Preview a letter template", tags })
      .input(z.object({ kind: letterKind, template: letterText }))
      .output(letterWording),

    /** Saves the built-in text as a new version. Refuses STALE. */
    reset: writeProcedure("settings.manage")
      .route({ method: "POST", path: "/letter-templates/{kind}/reset", summary: "Reset a letter template", tags })
      .input(z.object({ kind: letterKind, version: z.int() }))
      .output(letterTemplateRow),
  },
}
