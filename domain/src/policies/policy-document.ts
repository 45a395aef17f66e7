import { missingDocumentTypes } from "../platform/documents.ts"
import { hasPermission, type Role } from "../platform/permission.ts"

/** Readers of a document type, from few to many; each level includes the previous ones. */
export const documentReaders = ["insurer", "hr", "employer"] as const
export type DocumentReaders = (typeof documentReaders)[number]

export const documentReaderNames: Record<DocumentReaders, string> = {
  insurer: "Insurer only",
  hr: "Insurer and the employer's HR administrator",
  employer: "Everyone with access to the policy",
}

/**
 * True if the role may read documents of this type. An employer's signatory may not read documents with ID numbers or
 * health data. Row-level security has the same rule.
 */
export function canReadDocuments(role: Role | null, readers: DocumentReaders): boolean {
  if (!hasPermission(role, "policies.read")) return false
  if (role === "policy_holder") return readers === "employer"
  return role !== "group_admin" || readers !== "insurer"
}

export interface RequiredType {
  id: string
  name: string
  requiredForAll: boolean
  productTypeIds: readonly string[]
}

/**
 * True if a policy of this product type requires the document type. Without a product type, only types required for all
 * apply.
 */
export function isRequired(type: Omit<RequiredType, "id" | "name">, productTypeId: string | null): boolean {
  return type.requiredForAll || (productTypeId !== null && type.productTypeIds.includes(productTypeId))
}

/** Required types without a document, in the given order. */
export function missingDocuments<T extends RequiredType>(
  types: readonly T[],
  productTypeId: string | null,
  brought: readonly string[],
): T[] {
  const required = types.filter((type) => isRequired(type, productTypeId))
  const missing = missingDocumentTypes(
    required.map(({ id }) => id),
    brought,
  )
  return required.filter(({ id }) => missing.includes(id))
}

export const documentActions = ["replace", "delete"] as const
export type DocumentAction = (typeof documentActions)[number]

/** A role's document actions, whatever the policy's status. */
export function documentActionsOf(role: Role | null): DocumentAction[] {
  return hasPermission(role, "policies.write") ? [...documentActions] : []
}
