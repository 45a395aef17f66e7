import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { DayText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useReviewCommands } from "./claims.api.ts"

export function ReopenDialog({ claim, onClose }: { claim: ClaimDetail; onClose: () => void }) {
  const { id: claimId, version, number, appealUntil } = claim
  const { reopen } = useReviewCommands()
  const { today } = useDisplay()
  const form = useForm<{ receivedOn: string | null; reason: string }>({
    initialValues: { receivedOn: today ?? null, reason: "" },
    validate: {
      receivedOn: requireText("Enter the day on which the appeal was received."),
      reason: requireText("Enter the reason for the appeal."),
    },
  })
  const { receivedOn } = form.values
  const isLate = Boolean(receivedOn && appealUntil && receivedOn > appealUntil)
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Reopen ${number}`}
      words="The claim returns to review, assigned to you, with a new round of approvals. The rejection stays on record."
      submit="Reopen claim"
      form={form}
      save={({ receivedOn, reason }) => reopen.mutateAsync({ claimId, version, receivedOn: receivedOn!, reason })}
    >
      <DayInput
        label="Appeal received on"
        required
        {...(today && { latest: today })}
        description={
          appealUntil &&
          (isLate ? (
            <>
              After <DayText day={appealUntil} />, the last day to appeal. The claim will show that the appeal was late.
            </>
          ) : (
            <>
              The last day to appeal is <DayText day={appealUntil} />.
            </>
          ))
        }
        {...form.getInputProps("receivedOn")}
      />
      <Textarea label="Reason for the appeal" required autosize minRows={3} {...form.getInputProps("reason")} />
    </FormDialog>
  )
}
