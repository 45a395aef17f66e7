import { Select, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import { type Plan, planWords } from "@milkwood/domain/members/member-cover"
import { useQuery } from "@tanstack/react-query"
import { benefitChoices } from "../benefits/benefits.api.ts"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { required } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useMemberCommands } from "./members.api.ts"

export type MemberAct = "suspend" | "reinstate" | "terminate" | "withdraw" | "changeTier"

const texts: Record<MemberAct, { title: string; words: string; on?: string; danger?: boolean }> = {
  suspend: {
    title: "Suspend member",
    words: "There is no cover for an incident from this day on, and no premium for whole months of suspension.",
    on: "Suspended from",
    danger: true,
  },
  reinstate: { title: "Reinstate member", words: "Cover goes on from this day.", on: "Reinstated from" },
  terminate: {
    title: "Terminate member",
    words: "Cover ends after this day, which can be in the future. The record is kept.",
    on: "Last day",
    danger: true,
  },
  withdraw: { title: "Withdraw what is planned", words: "Cover goes on as it is today." },
  changeTier: {
    title: "Change benefit tier",
    words: "The new tier applies from this day. What was covered before stays on record.",
    on: "New tier applies from",
  },
}

interface MemberActDialogProps {
  member: { id: string; version: number; firstName: string; lastName: string; tierId?: string; plans?: Plan[] }
  act: MemberAct
  onClose: () => void
}

/** Asks for the day and the reason of a dated change to a member. */
export default function MemberActDialog({ member, act, onClose }: MemberActDialogProps) {
  const commands = useMemberCommands()
  const { today, dayFormat } = useDisplay()
  const choices = useQuery({ ...benefitChoices(), enabled: act === "changeTier" })
  const { title, words, on, danger } = texts[act]
  const withdrawn = (act === "withdraw" ? (member.plans ?? []) : []).map(
    ({ kind, on }) => `${planWords[kind]} ${formatDay(on, dayFormat)}`,
  )
  const form = useForm({
    initialValues: { on: today as string | null, reason: "", tierId: null as string | null },
    validate: {
      on: on ? required("Give the day") : undefined,
      reason: act === "changeTier" ? undefined : required("Give a reason"),
      tierId: act === "changeTier" ? required("Choose a benefit tier") : undefined,
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`${title}: ${member.firstName} ${member.lastName}`}
      submit={title}
      danger={danger}
      words={withdrawn.length > 0 ? `${words} This withdraws ${withdrawn.join(", ")}.` : words}
      form={form}
      save={({ on, reason, tierId }) => {
        const edit = { memberId: member.id, version: member.version, reason }
        if (act === "withdraw") return commands.withdraw.mutateAsync(edit)
        const dated = { ...edit, on: on ?? today }
        return act === "changeTier"
          ? commands.changeTier.mutateAsync({ ...dated, tierId: tierId ?? "" })
          : commands[act].mutateAsync(dated)
      }}
    >
      {act === "changeTier" && (
        <Select
          label="Benefit tier"
          required
          placeholder={choices.isPending ? "Loading…" : "Choose a benefit tier"}
          data={
            choices.data?.tiers.map(({ id, name }) => ({ value: id, label: name, disabled: id === member.tierId })) ??
            []
          }
          {...form.getInputProps("tierId")}
        />
      )}
      {on && <DayInput label={on} required {...form.getInputProps("on")} />}
      <Textarea
        label="Reason"
        required={act !== "changeTier"}
        autosize
        minRows={2}
        maxLength={1000}
        {...form.getInputProps("reason")}
      />
    </FormDialog>
  )
}
