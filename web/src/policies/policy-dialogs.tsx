import { useForm } from "@mantine/form"
import { addDays, addMonths, formatDay } from "@milkwood/domain/kernel/calendar"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { firstIncompleteStep } from "@milkwood/domain/policies/policy-form"
import { useLocation, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { DayText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { EarlierMonths, earlierMonthsOf } from "./earlier-months.tsx"
import { MissingDocuments } from "./missing-documents.tsx"
import { usePolicyCommands } from "./policies.api.ts"
import { type PolicyAct, PolicyActDialog } from "./policy-act-dialog.tsx"

interface PolicyDialogsProps {
  record: PolicyDetail
  act: PolicyAct | "activate" | "renew" | "deleteDraft"
  onClose: () => void
}

export default function PolicyDialogs({ record, act, onClose }: PolicyDialogsProps) {
  if (act === "activate") return <ActivateDialog policy={record} onClose={onClose} />
  if (act === "renew") return <RenewDialog policy={record} onClose={onClose} />
  if (act === "deleteDraft") return <DeleteDraftDialog policy={record} onClose={onClose} />
  return <PolicyActDialog policy={record} act={act} onClose={onClose} />
}

function ActivateDialog({ policy, onClose }: { policy: PolicyDetail; onClose: () => void }) {
  const { activate } = usePolicyCommands()
  const navigate = useNavigate()
  const form = useForm({ initialValues: {} })
  const { today } = useDisplay()
  const [earlier, setEarlier] = useState<"bill" | "start">("bill")
  const { months, thisMonth } = earlierMonthsOf(policy, today)
  const { number, missing, members } = policy
  const dialog = { opened: true, onClose, form }
  if (missing.length > 0) {
    return (
      <FormDialog
        {...dialog}
        title={`${number} is not ready to activate`}
        words={`Still needed: ${missing.map(({ label }) => label).join(", ")}.`}
        submit="Continue draft"
        save={() =>
          navigate({
            to: "/policies/$policyId/edit",
            params: { policyId: policy.id },
            search: { tab: firstIncompleteStep(missing) },
          })
        }
      >
        {null}
      </FormDialog>
    )
  }
  return (
    <FormDialog
      {...dialog}
      title={`Activate ${number}?`}
      words={
        <>
          Its {members.total} {members.total === 1 ? "member is" : "members are"} covered from{" "}
          <DayText day={policy.information.startOn} /> at the earliest.
          <MissingDocuments names={policy.missingDocuments} />
        </>
      }
      submit="Activate policy"
      save={() =>
        activate.mutateAsync({
          policyId: policy.id,
          version: policy.version,
          ...(months > 0 && earlier === "start" && { billedFromOn: thisMonth }),
        })
      }
    >
      <EarlierMonths draft={policy} chosen={earlier} onChoose={setEarlier} />
    </FormDialog>
  )
}

function RenewDialog({ policy, onClose }: { policy: PolicyDetail; onClose: () => void }) {
  const { renew } = usePolicyCommands()
  const { today, dayFormat } = useDisplay()
  const { endOn } = policy.information
  const form = useForm({ initialValues: { endOn: endOn && addMonths(endOn, 12) } })
  return (
    <FormDialog
      opened
      onClose={onClose}
      form={form}
      title={`Renew ${policy.number}`}
      words={`Cover continues from ${formatDay(addDays(endOn!, 1), dayFormat)} without a gap. Members whose cover ended with the policy keep their numbers, and waiting periods continue. The next invoice includes premiums since then that are not billed yet.`}
      submit="Renew policy"
      save={(values) => renew.mutateAsync({ policyId: policy.id, version: policy.version, endOn: values.endOn })}
    >
      <DayInput
        label="New end date"
        description="Leave empty for no end date"
        earliest={today}
        {...form.getInputProps("endOn")}
      />
    </FormDialog>
  )
}

function DeleteDraftDialog({ policy, onClose }: { policy: PolicyDetail; onClose: () => void }) {
  const { deleteDraft } = usePolicyCommands()
  const navigate = useNavigate()
  const onItsPage = useLocation().pathname.includes(policy.id)
  const form = useForm({ initialValues: {} })
  const { total } = policy.members
  const withMembers = total > 0 ? `, its ${total === 1 ? "member" : `${total} members`}` : ""
  return (
    <FormDialog
      opened
      onClose={onClose}
      form={form}
      title={`Delete draft ${policy.number}?`}
      words={`This deletes the draft${withMembers}, its staff lists and its documents. It also deletes ${policy.information.groupName} if no other policy or user needs it. This cannot be undone; the number is not reused.`}
      submit="Delete draft"
      danger
      save={async () => {
        await deleteDraft.mutateAsync({ policyId: policy.id, version: policy.version })
        if (onItsPage) await navigate({ to: "/policies" })
      }}
    >
      {null}
    </FormDialog>
  )
}
