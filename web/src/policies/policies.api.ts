import { skipToken } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const policyAccountQuery = (policyId: string) => api.reports.policyAccount.queryOptions({ input: { policyId } })

export const policyQuery = (policyId: string) => api.policies.detail.queryOptions({ input: { policyId } })

export const policyChoiceQuery = (policyId: string | null) =>
  api.policies.pick.queryOptions({ input: policyId ? { id: policyId } : skipToken })

export const ratesQuery = (policyId: string) => api.policies.rates.queryOptions({ input: { policyId } })

export const datedTermsQuery = (policyId: string) => api.policies.datedTerms.queryOptions({ input: { policyId } })

export const draftDefaultsQuery = () => api.policies.draftDefaults.queryOptions({ input: {} })

export const policyDocumentsQuery = (policyId: string) =>
  api.policies.documents.ofPolicy.queryOptions({ input: { policyId } })

export const documentTypesQuery = () => api.policies.documents.types.list.queryOptions({ input: {} })

export const policyDocumentHref = (policyId: string, documentId: string) =>
  `/api/policies/${policyId}/documents/${documentId}`

export const useDeleteDocument = () =>
  useCommand(api.policies.documents.remove, { success: "Document deleted", failure: "Failed to delete document" })

/** No failure text for STALE: the dialog handles stale versions. */
export const useDocumentTypeCommands = () => ({
  create: useCommand(api.policies.documents.types.create, {
    success: "Document type added",
    failure: "Failed to save the document type",
  }),
  update: useCommand(api.policies.documents.types.update, {
    success: "Changes Saved",
    failure: "Failed to save the document type",
    quiet: ["STALE"],
  }),
  remove: useCommand(api.policies.documents.types.remove, {
    success: "Document type deleted",
    failure: "Failed to delete the document type",
  }),
})

/** Stale versions are handled by the section, which shows both values. */
export const usePolicyCommands = () => ({
  updateSection: useCommand(api.policies.updateSection, {
    success: "Changes Saved",
    failure: "Failed to save changes",
    quiet: ["STALE"],
  }),
  saveRates: useCommand(api.policies.saveRates, {
    success: "Rates saved",
    failure: "Failed to save the rates",
    quiet: ["INVALID"],
  }),
  activate: useCommand(api.policies.activate, {
    success: "Policy Activated Successfully",
    failure: "Failed to activate policy",
  }),
  deleteDraft: useCommand(api.policies.deleteDraft, {
    success: ({ number, groupDeleted }) =>
      groupDeleted ? `Draft ${number} and its employer group deleted` : `Draft ${number} deleted`,
    failure: "Failed to delete the draft",
  }),
  suspend: useCommand(api.policies.suspend, {
    success: "Policy suspended",
    failure: "Failed to suspend policy",
  }),
  reinstate: useCommand(api.policies.reinstate, {
    success: "Policy reinstated",
    failure: "Failed to reinstate policy",
  }),
  renew: useCommand(api.policies.renew, {
    success: "Policy renewed",
    failure: "Failed to renew policy",
  }),
  terminate: useCommand(api.policies.terminate, {
    success: "Policy terminated",
    failure: "Failed to terminate policy",
  }),
})

const memberCountText = (count: number) => `${count} ${count === 1 ? "member" : "members"}`

export const useBulkCommands = () => ({
  add: useCommand(api.members.bulkAdd, {
    success: ({ added }) =>
      added > 0 ? { title: "Members Added", message: `${memberCountText(added)} added` } : undefined,
    quiet: ["INVALID"],
    failure: "Failed to add members",
  }),
  remove: useCommand(api.members.bulkRemove, {
    success: ({ removed }) =>
      removed > 0 ? { title: "Members Removed", message: `${memberCountText(removed)} removed` } : undefined,
    quiet: ["INVALID"],
    failure: "Failed to remove members",
  }),
})
