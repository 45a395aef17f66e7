import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { type RefusableForm, showRefusedFields } from "../ui/form.ts"
import { useCommand } from "../ui/use-command.ts"

export const claimQuery = (claimId: string) => api.claims.detail.queryOptions({ input: { claimId } })

/** What the member's product gives; asked only once a member is chosen. */
export const benefitsQuery = (memberId: string | null, incidentOn: string | null) =>
  queryOptions({
    ...api.claims.benefits.queryOptions({ input: { memberId: memberId ?? "", incidentOn: incidentOn ?? undefined } }),
    enabled: memberId !== null,
  })

/** Whether a claim of this member would have somebody to decide it; asked only once a member is chosen. */
export const decidersQuery = (memberId: string | null, claimId: string | undefined) =>
  queryOptions({
    ...api.claims.deciders.queryOptions({ input: { memberId: memberId ?? "", claimId } }),
    enabled: memberId !== null,
  })

/** Where a document of a claim is read. */
export const documentHref = (claimId: string, documentId: string) => `/api/claims/${claimId}/documents/${documentId}`

/** A claim's documents as the viewer takes them. */
export const viewable = (claim: ClaimDetail) =>
  claim.documents.map(({ id, name, mime }) => ({ id, name, mime, href: documentHref(claim.id, id) }))

/** The commands of the review, for the claim's page and the pending list. */
export const useReviewCommands = () => ({
  startReview: useCommand(api.claims.startReview, {
    success: "The claim is assigned to you",
    failure: "Failed to start the review",
  }),
  reassign: useCommand(api.claims.reassign, {
    success: ({ reviewedBy }) => `The claim is assigned to ${reviewedBy}`,
    failure: "Failed to reassign claim",
  }),
  withdraw: useCommand(api.claims.withdraw, {
    success: ({ number }) => `Draft ${number} withdrawn`,
    failure: "Failed to withdraw draft",
  }),
  route: useCommand(api.claims.route, {
    success: "Claim routed for approval",
    failure: "Failed to route claim",
  }),
  reject: useCommand(api.claims.reject, {
    success: "Claim rejected successfully",
    failure: "Failed to reject claim",
  }),
  sendBack: useCommand(api.claims.sendBack, {
    success: "Claim sent back",
    failure: "Failed to send claim back",
  }),
  requestDocuments: useCommand(api.claims.requestDocuments, {
    success: "Documents requested",
    failure: "Failed to request documents",
  }),
})

export const useDecide = (form: RefusableForm, onSuccess: (claim: ClaimDetail) => void) =>
  useCommand(api.claims.decide, {
    onError: (error) => showRefusedFields(form, error),
    success: (_claim, { decision }) =>
      decision === "approve" ? "Claim approved successfully" : "Claim rejected successfully",
    failure: "Failed to process approval",
    onSuccess,
  })

/** Saves a draft without a word: the form itself says what was saved and what was not. */
export function useSaveDraft() {
  const queryClient = useQueryClient()
  return useMutation({
    ...api.claims.saveDraft.mutationOptions(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: api.claims.key() }),
  })
}

export const useSubmit = (onSuccess: () => void) =>
  useCommand(api.claims.submit, {
    success: "Claim submitted successfully for approval",
    failure: "Failed to submit claim",
    // Said beside the button, at length.
    quiet: ["NOBODY_TO_DECIDE"],
    onSuccess,
  })

export const useRemoveDocument = () =>
  useCommand(api.claims.removeDocument, {
    success: "Document removed",
    failure: "Failed to remove document",
  })

/** A claim that a form has saved, with what has come to it since, such as documents. */
export function useCurrentClaim(claim: ClaimDetail | undefined): ClaimDetail | undefined {
  const current = useQuery({ ...claimQuery(claim?.id ?? ""), enabled: claim !== undefined })
  return claim && (current.data ?? claim)
}

/** Puts a claim that a command or an upload answered with where the claim's page reads it. */
export function useKeepClaim() {
  const queryClient = useQueryClient()
  return (claim: ClaimDetail) => queryClient.setQueryData(claimQuery(claim.id).queryKey, claim)
}
