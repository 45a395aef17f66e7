import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { type RefusableForm, showRefusedFields } from "../ui/form.ts"
import { useCommand } from "../ui/use-command.ts"

export const claimQuery = (claimId: string) => api.claims.detail.queryOptions({ input: { claimId } })

export const claimReserveQuery = (claimId: string) => api.claims.reserve.detail.queryOptions({ input: { claimId } })

export const useRecordPayees = () =>
  useCommand(api.claims.payees.record, { success: "Payees saved", failure: "Failed to save the payees" })

/** Opening a document sends no news, so each visit of the page reads again. */
export const openingsQuery = (claimId: string) => ({
  ...api.claims.openings.queryOptions({ input: { claimId } }),
  staleTime: 0,
})

export const benefitsQuery = (memberId: string | null, dependentId: string | null, incidentOn: string | null) =>
  queryOptions({
    ...api.claims.benefits.queryOptions({
      input: { memberId: memberId ?? "", dependentId: dependentId ?? undefined, incidentOn: incidentOn ?? undefined },
    }),
    enabled: memberId !== null,
  })

export const decidersQuery = (memberId: string | null, claimId: string | undefined) =>
  queryOptions({
    ...api.claims.deciders.queryOptions({ input: { memberId: memberId ?? "", claimId } }),
    enabled: memberId !== null,
  })

export const documentHref = (claimId: string, documentId: string) => `/api/claims/${claimId}/documents/${documentId}`

export const viewableDocuments = (claim: ClaimDetail) =>
  claim.documents.map(({ id, name, mime }) => ({ id, name, mime, href: documentHref(claim.id, id) }))

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
  reopen: useCommand(api.claims.reopen, {
    success: "Claim reopened and assigned to you",
    failure: "Failed to reopen claim",
  }),
  withdrawApproval: useCommand(api.claims.withdrawApproval, {
    success: "Approval withdrawn",
    failure: "Failed to withdraw approval",
  }),
  withdrawSubmitted: useCommand(api.claims.withdrawSubmitted, {
    success: "Claim withdrawn",
    failure: "Failed to withdraw claim",
  }),
  waiveDocuments: useCommand(api.claims.waiveDocuments, {
    success: "Required document waived",
    failure: "Failed to waive the document",
  }),
  withdrawWaiver: useCommand(api.claims.withdrawWaiver, {
    success: "Waiver withdrawn",
    failure: "Failed to withdraw the waiver",
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
    quiet: ["NOBODY_TO_DECIDE"],
    onSuccess,
  })

export const useRemoveDocument = () =>
  useCommand(api.claims.removeDocument, {
    success: "Document removed",
    failure: "Failed to remove document",
  })

export function useCurrentClaim(claim: ClaimDetail | undefined): ClaimDetail | undefined {
  const current = useQuery({ ...claimQuery(claim?.id ?? ""), enabled: claim !== undefined })
  return claim && (current.data ?? claim)
}

export function useCacheClaim() {
  const queryClient = useQueryClient()
  return async (claim: ClaimDetail) => {
    const { queryKey } = claimQuery(claim.id)
    // A read that began before the change would replace it by the older claim.
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, claim)
  }
}

export const useSetReserve = () =>
  useCommand(api.claims.reserve.set, {
    success: "Reserve changed",
    failure: "Failed to change the reserve",
  })

export const useAcceptFacts = () =>
  useCommand(api.claims.acceptFacts, {
    success: "The claim is judged by the facts as known now",
    failure: "Failed to accept the facts",
  })
