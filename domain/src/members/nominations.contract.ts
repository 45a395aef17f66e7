import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { wholeShare } from "../kernel/shares.ts"
import { line, optionalEmail, optionalPhone, text } from "../kernel/text-shape.ts"
import { documentShape } from "../platform/documents-shape.ts"
import { maxNominees, nominationActions, nominationDocumentTypes, nomineeRelationships } from "./nomination.ts"

const share = z
  .int("Enter a share")
  .min(1, "Enter a share above 0.00 %")
  .max(wholeShare, "A share is at most 100.00 %")
  .meta({ description: "Share in hundredths of a per cent: 3333 is 33.33 %" })

export const nominee = z.object({
  name: line(140).min(1, "Enter the name"),
  relationship: z.enum(nomineeRelationships, "Choose the relationship"),
  /** A South African ID number; null for a person without one, who needs a date of birth. */
  idNumber: line(40)
    .transform((number) => number.replaceAll(" ", "") || null)
    .nullable(),
  /** Default: from the ID number. */
  dateOfBirth: day.nullable(),
  phone: optionalPhone,
  email: optionalEmail,
  /** Bank, branch code and account number: all three, or none. */
  bank: line(60),
  branchCode: line(6),
  accountNumber: line(16),
  shareBasisPoints: share,
})
export type NomineeInput = z.infer<typeof nominee>

export const nomineeDetail = z.object({
  id: z.uuid(),
  ...nominee.shape,
  /** Masked for policy holders, as is the account number. */
  idNumber: z.string().nullable(),
  /** Null for policy holders, who get the year. */
  dateOfBirth: day.nullable(),
  birthYear: z.int().nullable(),
})

export const nominationDetail = z.object({
  id: z.uuid(),
  fromOn: day,
  /** Last day, before the next nomination; null without a later one, and for a corrected nomination. */
  untilOn: day.nullable(),
  /** Empty: the nomination was revoked from that day. */
  nominees: z.array(nomineeDetail),
  recordedBy: z.string(),
  recordedAt: instant,
  /** Whether it replaces a nomination that was recorded wrongly. */
  isCorrection: z.boolean(),
  /** Null unless it was corrected or withdrawn. The reason is null for policy holders, as it may be medical. */
  superseded: z.object({ by: z.string(), at: instant, reason: z.string().nullable() }).nullable(),
  /** Hidden from policy holders, because a form shows whole ID numbers and accounts. */
  documents: z.array(documentShape(z.enum(nominationDocumentTypes))),
})
export type NominationDetail = z.infer<typeof nominationDetail>

export const memberNominations = z.object({
  memberId: z.uuid(),
  /** The nomination that applies today. */
  currentId: z.uuid().nullable(),
  /** Latest first day first; of one day, the latest recorded first. */
  nominations: z.array(nominationDetail),
  allowedActions: z.array(z.enum(nominationActions)),
})
export type MemberNominations = z.infer<typeof memberNominations>

const memberId = z.uuid()
const set = {
  memberId,
  fromOn: day,
  nominees: z.array(nominee).max(maxNominees, `At most ${maxNominees} beneficiaries`),
}
const reason = text(1_000).min(1, "Enter a reason")
const tags = ["Members"]

const nominationExists = {
  NOMINATION_EXISTS: {
    status: 409,
    message: "A nomination from this day is already recorded. Correct that one instead.",
  },
} as const

/** The beneficiaries whom a member nominates for their own death. */
export const nominationsContract = {
  /** All nominations of a member, with corrected ones. NOT_FOUND as for the member. */
  list: readProcedure("members.read")
    .route({ method: "GET", path: "/members/{memberId}/nominations", summary: "List a member's nominations", tags })
    .input(z.object({ memberId }))
    .output(memberNominations),

  /**
   * Records the beneficiaries from `fromOn` until the next nomination; no beneficiaries revoke the earlier nomination.
   * INVALID with the fields, among them shares that do not add up to exactly 100.00 %.
   */
  record: writeProcedure("members.write")
    .route({ method: "POST", path: "/members/{memberId}/nominations", summary: "Record a nomination", tags })
    .errors(nominationExists)
    .input(z.object(set))
    .output(memberNominations),

  /**
   * Corrects a nomination that was recorded wrongly. The wrong one stays in the history with the reason. CONFLICT if it
   * was corrected before.
   */
  correct: writeProcedure("members.write")
    .route({
      method: "POST",
      path: "/members/{memberId}/nominations/{nominationId}/correct",
      summary: "Correct a nomination",
      tags,
    })
    .errors(nominationExists)
    .input(z.object({ ...set, nominationId: z.uuid(), reason }))
    .output(memberNominations),

  /**
   * Withdraws a nomination that was recorded by mistake, so that the earlier one applies. It stays in the history with
   * the reason. CONFLICT if it was corrected before.
   */
  withdraw: writeProcedure("members.write")
    .route({
      method: "POST",
      path: "/members/{memberId}/nominations/{nominationId}/withdraw",
      summary: "Withdraw a nomination",
      tags,
    })
    .input(z.object({ memberId, nominationId: z.uuid(), reason }))
    .output(memberNominations),

  /** Deletes a document of a nomination with its file. */
  removeDocument: writeProcedure("members.write")
    .route({
      method: "DELETE",
      path: "/nominations/{nominationId}/documents/{documentId}",
      summary: "Delete a document of a nomination",
      tags,
    })
    .input(z.object({ nominationId: z.uuid(), documentId: z.uuid() }))
    .output(memberNominations),
}
