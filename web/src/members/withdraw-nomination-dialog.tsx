import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import type { NominationDetail } from "@milkwood/domain/members/nominations.contract"
import { useDisplay } from "../ui/display.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useNominationCommands } from "./members.api.ts"

interface WithdrawNominationDialogProps {
  memberId: string
  nomination: NominationDetail
  /** The nomination that applies afterwards. */
  earlier: { fromOn: string } | null
  onClose: () => void
}

export default function WithdrawNominationDialog(props: WithdrawNominationDialogProps) {
  const { memberId, nomination, earlier, onClose } = props
  const { dayFormat } = useDisplay()
  const { withdraw } = useNominationCommands()
  const form = useForm({ initialValues: { reason: "" }, validate: { reason: requireText("Enter a reason") } })
  const next = earlier
    ? `The nomination from ${formatDay(earlier.fromOn, dayFormat)} then applies.`
    : "The member then has no nomination."
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Withdraw the nomination from ${formatDay(nomination.fromOn, dayFormat)}`}
      submit="Withdraw nomination"
      danger
      words={`For a nomination that was recorded by mistake. It stays in the history. ${next}`}
      form={form}
      save={({ reason }) => withdraw.mutateAsync({ memberId, nominationId: nomination.id, reason })}
    >
      <Textarea label="Reason" required autosize minRows={2} maxLength={1000} {...form.getInputProps("reason")} />
    </FormDialog>
  )
}
