import { Button } from "@mantine/core"
import type { ClaimDetail } from "@milkwood/domain/claims/claims.contract"
import { Link, linkOptions } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useConfirm } from "../ui/confirm.tsx"
import type { RowAction } from "../ui/data-table.tsx"
import { useBusyAction } from "../ui/use-busy-action.ts"
import { approvalLink, editLink, memberName } from "./claim-table.tsx"
import { useReviewCommands } from "./claims.api.ts"
import { ReasonDialog } from "./reason-dialog.tsx"
import { RequestDocumentsDialog } from "./request-documents-dialog.tsx"

type Action = ClaimDetail["allowedActions"][number]

/** What leads first, where the reader may do several things: the claim's next step. */
const leading: Action[] = ["approve", "pay", "route", "edit"]

/**
 * Everything that the reader may do with a claim now, by its `allowedActions`: the next step for the page's head, the
 * others for its menu, and the dialogs that both open.
 */
export function useClaimActions(claim: ClaimDetail): { primary: ReactNode; others: RowAction[]; dialogs: ReactNode } {
  const [asking, setAsking] = useState<Action>()
  const { startReview, route, reject, sendBack } = useReviewCommands()
  const starting = useBusyAction()
  const confirm = useConfirm()
  const { id: claimId, version } = claim
  const close = () => setAsking(undefined)
  const first = leading.find((action) => claim.allowedActions.includes(action))

  const askToRoute = () =>
    confirm({
      title: `Route ${claim.number} for approval?`,
      body: "The group administrator, the underwriter and the policy holder decide it, in this order. Until it is sent back nothing of it can be changed.",
      confirm: "Route for approval",
      action: () => route.mutateAsync({ claimId, version }),
    })

  const doable: Partial<Record<Action, RowAction>> = {
    approve: { label: "Process Approval", link: approvalLink(claim) },
    pay: {
      label: "Process payment",
      link: linkOptions({ to: "/finance/claims-payments", search: { new: true, claimId } }),
    },
    edit: { label: "Edit Claim", link: editLink(claim) },
    startReview: {
      label: "Start review",
      onClick: () => void starting.run(() => startReview.mutateAsync({ claimId, version })),
    },
    route: { label: "Route for approval", onClick: askToRoute },
    requestDocuments: { label: "Request documents", onClick: () => setAsking("requestDocuments") },
    sendBack: { label: "Send back", onClick: () => setAsking("sendBack") },
    reject: { label: "Reject claim", danger: true, onClick: () => setAsking("reject") },
  }
  return {
    primary: first && <ActionButton action={doable[first]!} />,
    others: claim.allowedActions.flatMap((action) => (action === first ? [] : (doable[action] ?? []))),
    dialogs: (
      <>
        {asking === "requestDocuments" && <RequestDocumentsDialog claimId={claimId} onClose={close} />}
        {asking === "reject" && (
          <ReasonDialog
            title={`Reject ${claim.number}`}
            words={`The claim of ${memberName(claim.member)} ends here. The reason stays with it.`}
            submit="Reject claim"
            missing="Say why the claim is rejected."
            danger
            onClose={close}
            save={(reason) => reject.mutateAsync({ claimId, version, reason })}
          />
        )}
        {asking === "sendBack" && (
          <ReasonDialog
            title={`Send ${claim.number} back`}
            words="It is submitted again and can be edited. What was decided stays on record, and a new round of approvals begins once it is routed."
            submit="Send back"
            missing="Say why the claim is sent back."
            onClose={close}
            save={(reason) => sendBack.mutateAsync({ claimId, version, reason })}
          />
        )}
      </>
    ),
  }
}

function ActionButton({ action: { label, link, onClick } }: { action: RowAction }) {
  if (link) return <Button renderRoot={(props) => <Link {...props} {...link} />}>{label}</Button>
  return <Button onClick={onClick}>{label}</Button>
}
