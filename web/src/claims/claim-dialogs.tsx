import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import ReasonDialog from "../ui/reason-dialog.tsx"
import { AssignDialog } from "./assign-dialog.tsx"
import { memberName } from "./claim-table.tsx"
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
        words={`The claim of ${memberName(member)} ends here. The reason stays with it.`}
        submit="Reject claim"
        missing="Say why the claim is rejected."
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
      words="It goes back to Submitted and can be edited. Decisions stay on record, and a new round of approvals begins once it is routed."
      submit="Send back"
      missing="Say why the claim is sent back."
      onClose={onClose}
      minRows={3}
      save={({ reason }) => sendBack.mutateAsync({ claimId, version, reason })}
    />
  )
}
