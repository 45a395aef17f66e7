import type { ClaimAction } from "@milkwood/domain/claims/claim-lifecycle"
import type { ClaimRow } from "@milkwood/domain/claims/claim-shape"
import { linkOptions } from "@tanstack/react-router"
import { lazy } from "react"
import { useConfirm } from "../ui/confirm.tsx"
import type { RowAction } from "../ui/data-table/types.ts"
import { useRecordDialogs } from "../ui/record-actions.tsx"
import { useBusyAction } from "../ui/use-busy-action.ts"
import { approvalLink, editLink } from "./claim-table.tsx"
import { claimQuery, useReviewCommands } from "./claims.api.ts"

const ClaimDialogs = lazy(() => import("./claim-dialogs.tsx"))

type ClaimHead = Pick<ClaimRow, "id" | "number" | "version" | "claimType">

/** Claim actions shared by the page and both lists; `onWithdrawn` lets the page close. */
export function useClaimActions(onWithdrawn?: () => void) {
  const { startReview, route, withdraw } = useReviewCommands()
  const starting = useBusyAction()
  const confirm = useConfirm()
  const dialogs = useRecordDialogs(claimQuery, ClaimDialogs)

  const askToRoute = ({ id, number, version }: ClaimHead) =>
    confirm({
      title: `Route ${number} for approval?`,
      body: "The group administrator, the underwriter and the policy holder decide the claim, in this order. It can be edited again only if it is sent back.",
      confirm: "Route for approval",
      action: () => route.mutateAsync({ claimId: id, version }),
    })

  const askToWithdraw = async ({ id, number, version }: ClaimHead) => {
    const withdrawn = await confirm({
      title: `Withdraw ${number}?`,
      body: "The draft and its documents are deleted. Its number is not reused.",
      confirm: "Withdraw draft",
      danger: true,
      action: () => withdraw.mutateAsync({ claimId: id, version }),
    })
    if (withdrawn) onWithdrawn?.()
  }

  const of = (claim: ClaimHead) =>
    ({
      approve: { label: "Process approval", link: approvalLink(claim) },
      pay: {
        label: "Process payment",
        link:
          claim.claimType === "death"
            ? linkOptions({ to: "/claims/$claimId", params: { claimId: claim.id }, hash: "payees" })
            : linkOptions({ to: "/finance/claims-payments", search: { new: true, claimId: claim.id } }),
      },
      startReview: {
        label: "Start review",
        onClick: () => void starting.run(() => startReview.mutateAsync({ claimId: claim.id, version: claim.version })),
      },
      reassign: { label: "Assign", onClick: () => dialogs.open(claim.id, "reassign") },
      route: { label: "Route for approval", onClick: () => void askToRoute(claim) },
      edit: { label: "Edit claim", link: editLink(claim) },
      requestDocuments: { label: "Request documents", onClick: () => dialogs.open(claim.id, "requestDocuments") },
      sendBack: { label: "Send back", onClick: () => dialogs.open(claim.id, "sendBack") },
      reject: { label: "Reject claim", danger: true, onClick: () => dialogs.open(claim.id, "reject") },
      reopen: { label: "Reopen claim", onClick: () => dialogs.open(claim.id, "reopen") },
      withdrawApproval: {
        label: "Withdraw approval",
        danger: true,
        onClick: () => dialogs.open(claim.id, "withdrawApproval"),
      },
      withdrawSubmitted: {
        label: "Withdraw claim",
        danger: true,
        onClick: () => dialogs.open(claim.id, "withdrawSubmitted"),
      },
      withdraw: { label: "Withdraw draft", danger: true, onClick: () => void askToWithdraw(claim) },
    }) satisfies Partial<Record<ClaimAction, RowAction>>
  return { of, dialogs: dialogs.shown }
}
