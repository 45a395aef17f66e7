import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import ReasonDialog from "../ui/reason-dialog.tsx"
import { AssignDialog } from "./assign-dialog.tsx"
import { memberNameOf } from "./claim-table.tsx"
import { useReviewCommands } from "./claims.api.ts"
import { RequestDocumentsDialog } from "./request-documents-dialog.tsx"

interface ClaimDialogsProps {
  record: ClaimDetail
  act: "requestDocuments" | "reassign" | "reject" | "sendBack"
  onClose: () => void
}

export default function ClaimDialogs({ record, act, onClose }: ClaimDialogsProps) {
  const { reject, sendBack } = useReviewCommands()
  const { id: claimId, version, number, member } = record
  if (act === "requestDocuments") return <RequestDocumentsDialog claimId={claimId} onClose={onClose} />
  if (act === "reassign") return <AssignDialog claim={record} onClose={onClose} />
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
