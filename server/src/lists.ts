import { invoices } from "./billing/invoice-list.queries.ts"
import { claims, pendingClaims } from "./claims/claim-lists.queries.ts"
import type { List } from "./platform/lists/list.ts"

/** Every list of the product. */
export const lists = [claims, pendingClaims, invoices] as unknown as List<never, unknown>[]
