import { hasPermission, type Role } from "../platform/permission.ts"
import type { ClaimContent, DocumentType } from "./claim.ts"

/**
 * Medical privacy: a policy holder sees no diagnosis, treatment, hospital, doctor, bill number, description, comments of other
 * stages, file names or medical documents. All data for such a reader must pass through this module, or its SQL must
 * omit the columns.
 */
export function canSeeMedical(role: Role | null): boolean {
  return role !== null && role !== "policy_holder"
}

export const medicalDocumentTypes: readonly DocumentType[] = ["medical_report", "hospital_bill", "death_certificate"]

export const medicalFields = [
  "description",
  "diagnosis",
  "hospitalName",
  "doctorName",
  "treatmentDetails",
  "billNumber",
  "causeOfDeath",
] as const satisfies readonly (keyof ClaimContent)[]

export function visibleDocumentTypes(types: readonly DocumentType[], role: Role | null): DocumentType[] {
  return canSeeMedical(role) ? [...types] : types.filter((type) => !medicalDocumentTypes.includes(type))
}

/**
 * Whether a reader sees a stage's comment or an action's reason: a policy holder reads only those of policy holders.
 */
export function canSeeCommentOf(authorRole: string | null, reader: Role | null): boolean {
  return canSeeMedical(reader) || (reader === "policy_holder" && authorRole === "policy_holder")
}

/** Audit trail entries that are not claim fields: documents requested, waived, added and removed. */
const documentFields = ["documents", "waivedDocuments", "document"]

const insurerFields = [
  "reserve",
  "reserveReason",
  "payees",
  "payeeBasis",
  "payeeReason",
  "payeeReceiver",
  "payeeAccount",
]

/** Whether a reader may see a field's values before and after a change. */
export function canSeeField(field: string, reader: Role | null): boolean {
  if (insurerFields.includes(field)) return hasPermission(reader, "payouts.read")
  return canSeeMedical(reader) || ![...medicalFields, ...documentFields].includes(field)
}
