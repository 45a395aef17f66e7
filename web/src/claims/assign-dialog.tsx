import { useForm } from "@mantine/form"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useReviewCommands } from "./claims.api.ts"
import { ReviewerSelect } from "./reviewer-select.tsx"

export function AssignDialog({ claim, onClose }: { claim: ClaimDetail; onClose: () => void }) {
  const { reassign } = useReviewCommands()
  const { id: claimId, version, number, status, reviewedBy } = claim
  const form = useForm({
    initialValues: { userId: null as string | null },
    validate: { userId: requireText("Choose a person") },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Assign ${number}`}
      words={
        status === "under_review" && reviewedBy
          ? `${reviewedBy} is reviewing it now. The new reviewer is notified.`
          : "This starts their review. The reviewer is notified."
      }
      submit="Assign claim"
      form={form}
      save={({ userId }) => reassign.mutateAsync({ claimId, version, userId: userId ?? "" })}
    >
      <ReviewerSelect {...form.getInputProps("userId")} />
    </FormDialog>
  )
}
