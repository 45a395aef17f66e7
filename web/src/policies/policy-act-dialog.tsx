import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { ProposedChange } from "@milkwood/domain/billing/effect-shape"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { EffectNote } from "../billing/effect-note.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { usePolicyCommands } from "./policies.api.ts"

export type PolicyAct = "suspend" | "reinstate" | "terminate"

const actTexts: Record<PolicyAct, string> = {
  suspend: "From today, no one on the policy is covered until it is reinstated. Members keep their own status.",
  reinstate: "From today, the policy is in force again.",
  terminate: "The policy and its members' cover end after this day. This cannot be undone.",
}

export function PolicyActDialog(props: { policy: PolicyDetail; act: PolicyAct; onClose: () => void }) {
  const { policy, act, onClose } = props
  const commands = usePolicyCommands()
  const { today } = useDisplay()
  const form = useForm({
    initialValues: { reason: "", on: today as string | null },
    validate: { reason: requireText("Enter a reason"), on: requireText("Enter the last day") },
  })
  const title = `${act.charAt(0).toUpperCase()}${act.slice(1)} policy`
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={title}
      submit={title}
      danger={act !== "reinstate"}
      words={actTexts[act]}
      form={form}
      save={({ reason, on }) => {
        const input = { policyId: policy.id, version: policy.version, reason }
        return act === "terminate"
          ? commands.terminate.mutateAsync({ ...input, on: on ?? today })
          : commands[act].mutateAsync(input)
      }}
    >
      {act === "terminate" && (
        <DayInput
          label="Last day"
          required
          earliest={policy.information.startOn ?? undefined}
          latest={today}
          {...form.getInputProps("on")}
        />
      )}
      <Textarea label="Reason" required autosize minRows={2} maxLength={1000} {...form.getInputProps("reason")} />
      <EffectNote change={proposedChangeOf(act, policy.id, form.values.on)} />
    </FormDialog>
  )
}

function proposedChangeOf(act: PolicyAct, policyId: string, on: string | null): ProposedChange | null {
  if (act === "terminate") return on === null ? null : { act: "terminatePolicy", policyId, on }
  return { act: act === "suspend" ? "suspendPolicy" : "reinstatePolicy", policyId }
}
