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
