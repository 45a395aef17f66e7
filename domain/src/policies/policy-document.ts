import { stillMissing } from "../platform/documents.ts"
import { may, type Role } from "../platform/permission.ts"

/** Who reads the documents of a type, from few to many; each includes those before it. */
export const documentReaders = ["insurer", "hr", "employer"] as const
export type DocumentReaders = (typeof documentReaders)[number]

/** The same as people choose it. */
export const documentReaderNames: Record<DocumentReaders, string> = {
  insurer: "The insurer only",
  hr: "The insurer and the employer's HR administrator",
  employer: "Everybody who sees the policy",
}

/**
 * Whether a role reads documents of such a type. Papers with members' ID numbers or health in them are kept from the
 * employer's signatory, who sees neither elsewhere. Row-level security says the same.
 */
export function readsDocuments(role: Role | null, readers: DocumentReaders): boolean {
  if (!may(role, "policies.read")) return false
  if (role === "policy_holder") return readers === "employer"
  return role !== "group_admin" || readers !== "insurer"
}

/** What may be required of a policy. */
export interface RequiredType {
  id: string
  name: string
  requiredForAll: boolean
  /** The product types that require it, when not all do. */
  productTypeIds: readonly string[]
}

/** Whether a policy of this product type needs a document of the type; one without a product type needs what all need. */
export function isRequired(type: Omit<RequiredType, "id" | "name">, productTypeId: string | null): boolean {
  return type.requiredForAll || (productTypeId !== null && type.productTypeIds.includes(productTypeId))
}

/** Of the types that a policy of this product type needs, those of which it has no document; in their order. */
export function missingDocuments<T extends RequiredType>(
  types: readonly T[],
  productTypeId: string | null,
  brought: readonly string[],
): T[] {
  const required = types.filter((type) => isRequired(type, productTypeId))
  const missing = stillMissing(
    required.map(({ id }) => id),
    brought,
  )
  return required.filter(({ id }) => missing.includes(id))
}

export const documentActions = ["replace", "delete"] as const
export type DocumentAction = (typeof documentActions)[number]

/** What a role may do with a document of a policy, whatever its status: papers come to the last. */
export function documentActionsOf(role: Role | null): DocumentAction[] {
  return may(role, "policies.write") ? [...documentActions] : []
}
