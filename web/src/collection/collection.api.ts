import { api } from "../platform/api.ts"
import type { RefusableForm } from "../ui/form.ts"
import { useCommand } from "../ui/use-command.ts"

/** How to reach a policy's contact, what it owes, and what was said. */
export const contactsQuery = (policyId: string) => api.collection.contacts.queryOptions({ input: { policyId } })

export const useLogCall = (form?: RefusableForm) =>
  useCommand(api.collection.logCall, {
    success: "Call logged",
    failure: "Failed to log the call",
    ...(form && { form }),
  })

/** A policy's statement of account between two days. */
export const statementQuery = (input: { policyId: string; from?: string | undefined; to?: string | undefined }) =>
  api.collection.statement.queryOptions({ input })

/** Where the same statement is downloaded. */
export const statementHref = (policyId: string, ending: "pdf" | "csv", days: { from: string; to: string }) =>
  `/api/policies/${policyId}/statement.${ending}?${new URLSearchParams(days)}`
