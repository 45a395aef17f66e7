import type { Role } from "../platform/permission.ts"
import type { ClaimContent, DocumentType } from "./claim.ts"

/**
 * Medical privacy (design: data, "Medical privacy"): a policy holder sees no diagnosis, treatment, hospital, doctor,
 * description, comments of other stages or file names, nor documents of the medical types. Whatever leaves the
 * claims room for such a reader passes through here or leaves the columns out of its SQL.
 */
export function seesMedical(role: Role | null): boolean {
  return role !== null && role !== "policy_holder"
}

/** Documents that a policy holder must not know of. */
export const medicalDocumentTypes: readonly DocumentType[] = ["medical_report", "hospital_bill", "death_certificate"]

/** Fields of a claim that say something medical. */
export const medicalFields = [
  "description",
  "diagnosis",
  "hospitalName",
  "doctorName",
  "treatmentDetails",
] as const satisfies readonly (keyof ClaimContent)[]

/** The document types that a reader may know of. */
export function visibleDocumentTypes(types: readonly DocumentType[], role: Role | null): DocumentType[] {
  return seesMedical(role) ? [...types] : types.filter((type) => !medicalDocumentTypes.includes(type))
}

/** Whether a stage's comment, or the reason given with an act, is for this reader: a policy holder reads only those of policy holders. */
export function seesCommentOf(authorRole: string | null, reader: Role | null): boolean {
  return seesMedical(reader) || (reader === "policy_holder" && authorRole === "policy_holder")
}

/** What the trail says of a claim beside its fields: which documents were asked for, added and removed. */
const documentFields = ["documents", "document"]

/** Whether a field's values before and after a change are for this reader. */
export function seesField(field: string, reader: Role | null): boolean {
  return seesMedical(reader) || ![...medicalFields, ...documentFields].includes(field)
}
