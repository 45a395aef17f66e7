import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { MoneyText } from "../ui/money.tsx"
import ReasonDialog from "../ui/reason-dialog.tsx"
import { AssignDialog } from "./assign-dialog.tsx"
import { memberNameOf } from "./claim-table.tsx"
import { useReviewCommands } from "./claims.api.ts"
import { ReopenDialog } from "./reopen-dialog.tsx"
import { RequestDocumentsDialog } from "./request-documents-dialog.tsx"

interface ClaimDialogsProps {
  record: ClaimDetail
  act: "requestDocuments" | "reassign" | "reject" | "sendBack" | "reopen" | "withdrawApproval" | "withdrawSubmitted"
  onClose: () => void
}

export default function ClaimDialogs({ record, act, onClose }: ClaimDialogsProps) {
  const { reject, sendBack, withdrawApproval, withdrawSubmitted } = useReviewCommands()
  const { id: claimId, version, number, member } = record
  if (act === "requestDocuments") return <RequestDocumentsDialog record={record} onClose={onClose} />
  if (act === "reassign") return <AssignDialog claim={record} onClose={onClose} />
  if (act === "reopen") return <ReopenDialog claim={record} onClose={onClose} />
  if (act === "withdrawApproval") {
    return (
      <ReasonDialog
        title={`Withdraw the approval of ${number}`}
        words={
          <>
            <MoneyText cents={record.approvedAmountCents} /> will no longer be owed to {memberNameOf(member)}. The claim
            returns to review with a new round of approvals. Earlier decisions stay on record.
          </>
        }
        submit="Withdraw approval"
        missing="Enter a reason for withdrawing the approval."
        danger
        onClose={onClose}
        minRows={3}
        save={({ reason }) => withdrawApproval.mutateAsync({ claimId, version, reason })}
      />
    )
  }
  if (act === "withdrawSubmitted") {
    return (
      <ReasonDialog
        title={`Withdraw ${number}`}
        words={`This ends the claim of ${memberNameOf(member)} without a decision. It cannot be reopened.`}
        submit="Withdraw claim"
        missing="Enter a reason for withdrawing the claim."
        danger
        onClose={onClose}
        minRows={3}
        save={({ reason }) => withdrawSubmitted.mutateAsync({ claimId, version, reason })}
      />
    )
  }
  if (act === "reject") {
    return (
      <ReasonDialog
        title={`Reject ${number}`}
        words={`This closes the claim of ${memberNameOf(member)}. The reason is stored with the claim.`}
        submit="Reject claim"
        missing="Enter a reason for the rejection."
        danger
        onClose={onClose}
        minRows={3}
        save={({ reason }) => reject.mutateAsync({ claimId, version, reason })}
      />
    )
  }
  return (
    <ReasonDialog
      title={`Send ${number} back`}
      words="The claim returns to Submitted and can be edited. Earlier decisions stay on record. Routing it again starts a new round of approvals."
      submit="Send back"
      missing="Enter a reason for sending the claim back."
      onClose={onClose}
      minRows={3}
      save={({ reason }) => sendBack.mutateAsync({ claimId, version, reason })}
    />
  )
}
