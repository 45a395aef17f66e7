import { Button, Stack } from "@mantine/core"
import type { ClaimDetail } from "@milkwood/domain/claims/claims.contract"
import { Link } from "@tanstack/react-router"
import { Fragment, type ReactNode, useState } from "react"
import { useConfirm } from "../ui/confirm.tsx"
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
 * others for the Actions panel, and the dialogs that both open.
 */
export function useClaimActions(claim: ClaimDetail): { primary: ReactNode; others: ReactNode; dialogs: ReactNode } {
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

  const buttons: Partial<Record<Action, (look: { variant: string; fullWidth?: boolean }) => ReactNode>> = {
    approve: (look) => (
      <Button {...look} renderRoot={(props) => <Link {...props} {...approvalLink(claim)} />}>
        Process Approval
      </Button>
    ),
    pay: (look) => (
      <Button
        {...look}
        renderRoot={(props) => <Link {...props} to="/finance/claims-payments" search={{ new: true, claimId }} />}
      >
        Process payment
      </Button>
    ),
    edit: (look) => (
      <Button {...look} renderRoot={(props) => <Link {...props} {...editLink(claim)} />}>
        Edit Claim
      </Button>
    ),
    startReview: (look) => (
      <Button
        {...look}
        loading={starting.busy}
        onClick={() => void starting.run(() => startReview.mutateAsync({ claimId, version }))}
      >
        Start review
      </Button>
    ),
    route: (look) => (
      <Button {...look} onClick={askToRoute}>
        Route for approval
      </Button>
    ),
    requestDocuments: (look) => (
      <Button {...look} onClick={() => setAsking("requestDocuments")}>
        Request documents
      </Button>
    ),
    sendBack: (look) => (
      <Button {...look} onClick={() => setAsking("sendBack")}>
        Send back
      </Button>
    ),
    reject: (look) => (
      <Button {...look} color="red" onClick={() => setAsking("reject")}>
        Reject claim
      </Button>
    ),
  }
  const others = claim.allowedActions.filter((action) => action !== first && buttons[action])
  return {
    primary: first && buttons[first]?.({ variant: "filled" }),
    others: others.length > 0 && (
      <Stack gap="xs">
        {others.map((action) => (
          <Fragment key={action}>{buttons[action]?.({ variant: "default", fullWidth: true })}</Fragment>
        ))}
      </Stack>
    ),
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
