import type { Cents } from "../kernel/money.ts"
import { type Claim, type ClaimType, type DocumentType, documentTypeNames, documentTypes } from "./claim.ts"

/** One requirement of the settings: a claim needs any one of `anyOf`. */
export interface DocumentRule {
  claimType: ClaimType
  /** Null: claims of every benefit. */
  benefitId: string | null
  anyOf: DocumentType[]
  /** Applies only if a dependent is insured. */
  dependentsOnly: boolean
  /** Applies only above this requested amount. */
  aboveCents: Cents | null
}

const rule = (claimType: ClaimType, anyOf: DocumentType[], dependentsOnly = false): DocumentRule => ({
  claimType,
  benefitId: null,
  anyOf,
  dependentsOnly,
  aboveCents: null,
})

export const defaultDocumentRules: DocumentRule[] = [
  rule("death", ["death_certificate"]),
  rule("death", ["id_document"]),
  rule("death", ["proof_of_relationship"], true),
  rule("disability", ["medical_report"]),
  rule("medical", ["medical_report", "hospital_bill"]),
  rule("maternity", ["medical_report", "hospital_bill"]),
]

export interface DocumentWaiver {
  documents: DocumentType[]
  reason: string
  by: string
  at: string
}

export interface ChecklistLine {
  /** Any one of these is enough. */
  documents: DocumentType[]
  state: "there" | "missing" | "waived"
}

export type ChecklistFacts = Pick<Claim, "claimType" | "benefitId" | "dependentId" | "requestedAmountCents">

export interface DocumentEvidence {
  attached: readonly DocumentType[]
  /** The documents of each waiver. */
  waived: readonly (readonly DocumentType[])[]
}

/** The documents that the rules require for a claim, each with its state. */
export function documentChecklist(
  claim: ChecklistFacts,
  { attached, waived }: DocumentEvidence,
  rules: readonly DocumentRule[],
): ChecklistLine[] {
  const required = rules
    .filter(
      ({ claimType, benefitId, dependentsOnly, aboveCents }) =>
        claimType === claim.claimType &&
        (benefitId === null || benefitId === claim.benefitId) &&
        (!dependentsOnly || claim.dependentId !== null) &&
        (aboveCents === null || (claim.requestedAmountCents ?? 0) > aboveCents),
    )
    .map(({ anyOf }) => sortDocuments(anyOf))
  const once = required.filter(
    (documents, at) => required.findIndex((other) => isSameDocuments(other, documents)) === at,
  )
  return once.map((documents) => {
    const isThere = documents.some((type) => attached.includes(type))
    const isWaived = waived.some((other) => isSameDocuments(sortDocuments(other), documents))
    return { documents, state: isThere ? "there" : isWaived ? "waived" : "missing" }
  })
}

export const missingDocuments = (checklist: readonly ChecklistLine[]): DocumentType[][] =>
  checklist.filter(({ state }) => state === "missing").map(({ documents }) => documents)

export const sortDocuments = (types: readonly DocumentType[]): DocumentType[] =>
  documentTypes.filter((type) => types.includes(type))

export const isSameDocuments = (a: readonly DocumentType[], b: readonly DocumentType[]): boolean =>
  a.length === b.length && a.every((type) => b.includes(type))

/** "Medical report or hospital bill" */
export const documentsText = (types: readonly DocumentType[]): string =>
  types.map((type, at) => (at === 0 ? documentTypeNames[type] : lowerFirst(documentTypeNames[type]))).join(" or ")

/** "ID document" stays as it is. */
const lowerFirst = (name: string): string =>
  /^[A-Z]{2}/.test(name) ? name : name.replace(/^./, (c) => c.toLowerCase())

export function missingDocumentsMessage(missing: readonly (readonly DocumentType[])[]): string {
  const names = missing.map(documentsText).join(", ")
  return `Required documents are missing: ${names}. Add them, or waive them with a reason.`
}
