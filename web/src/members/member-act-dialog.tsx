import { Select, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { ProposedChange } from "@milkwood/domain/billing/effect-shape"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import type { LaterChanges } from "@milkwood/domain/kernel/timeline"
import { futureChangesOf, plannedChangePhrases } from "@milkwood/domain/members/member-cover"
import type { MemberDetail } from "@milkwood/domain/members/members.contract"
import { useQuery } from "@tanstack/react-query"
import { benefitChoicesQuery } from "../benefits/benefits.api.ts"
import { EffectNote } from "../billing/effect-note.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { type FutureChange, FutureChangesChoice, futureChangesAfter } from "../ui/later-changes.tsx"
import { datedActTexts } from "./dated-acts.ts"
import { useMemberCommands } from "./members.api.ts"

/** `leave` is `terminate` as named on the policy page. */
type MemberAct = "suspend" | "reinstate" | "terminate" | "leave" | "withdraw" | "changeTier"

const actTexts: Record<MemberAct, { title: string; words: string; on?: string; danger?: boolean }> = {
  ...datedActTexts,
  leave: { ...datedActTexts.terminate, title: "Remove member" },
  withdraw: { title: "Withdraw planned changes", words: "Cover continues as it is today." },
}

export default function MemberActDialog(props: { record: MemberDetail; act: MemberAct; onClose: () => void }) {
  const { record: member, act, onClose } = props
  const { firstName, lastName } = member.personal
  const commands = useMemberCommands()
  const { today, dayFormat } = useDisplay()
  const choices = useQuery({ ...benefitChoicesQuery(), enabled: act === "changeTier" })
  const { title, words, on, danger } = actTexts[act]
  const withdrawn = (act === "withdraw" ? futureChangesOf(member, today) : []).map(
    ({ kind, on }) => `${plannedChangePhrases[kind]} ${formatDay(on, dayFormat)}`,
  )
  const form = useForm({
    initialValues: {
      ...{ on: today as string | null, reason: "", tierId: null as string | null },
      laterChanges: "keep" as LaterChanges,
    },
    validate: {
      on: on ? requireText("Choose the day") : undefined,
      reason: act === "changeTier" ? undefined : requireText("Enter a reason"),
      tierId: act === "changeTier" ? requireText("Choose a benefit tier") : undefined,
    },
  })
  const later = futureChangesAfter(recordedChangesOf(member, act), form.values.on)
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`${title}: ${firstName} ${lastName}`}
      submit={title}
      danger={danger}
      words={withdrawn.length > 0 ? `${words} This withdraws ${withdrawn.join(", ")}.` : words}
      form={form}
      save={({ on, reason, tierId, laterChanges }) => {
        const edit = { memberId: member.id, version: member.version, reason }
        if (act === "withdraw") return commands.withdraw.mutateAsync(edit)
        const dated = { ...edit, on: on ?? today }
        if (act === "terminate" || act === "leave") return commands.terminate.mutateAsync(dated)
        const choice = later.length > 0 ? { laterChanges } : {}
        return act === "changeTier"
          ? commands.changeTier.mutateAsync({ ...dated, ...choice, tierId: tierId ?? "" })
          : commands[act].mutateAsync({ ...dated, ...choice })
      }}
    >
      {act === "changeTier" && (
        <Select
          label="Benefit tier"
          required
          placeholder={choices.isPending ? "Loading..." : "Choose a benefit tier"}
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
      {act === "terminate" || act === "leave" ? (
        <RemovedChanges changes={later} />
      ) : (
        <FutureChangesChoice changes={later} {...form.getInputProps("laterChanges")} />
      )}
      <EffectNote change={proposedChangeOf(act, member.id, form.values)} />
    </FormDialog>
  )
}

/** The end of a membership also ends all its recorded changes. */
function recordedChangesOf({ covers }: MemberDetail, act: MemberAct): FutureChange[] {
  const ends = act === "terminate" || act === "leave"
  return covers.flatMap(({ from, kind, tierName, setsKind, setsTier }, index) => [
    ...(index > 0 && setsKind && (ends || act === "suspend" || act === "reinstate")
      ? [{ on: from, words: kind === "suspended" ? "Suspended" : "Covered" }]
      : []),
    ...(index > 0 && setsTier && (ends || act === "changeTier") ? [{ on: from, words: tierName }] : []),
  ])
}

function RemovedChanges({ changes }: { changes: readonly FutureChange[] }) {
  const { dayFormat } = useDisplay()
  if (changes.length === 0) return null
  const said = changes.map(({ on, words }) => `${words} from ${formatDay(on, dayFormat)}`)
  return <InlineError tone="warning">This also removes planned changes: {said.join("; ")}.</InlineError>
}

export const suggestedMemberActions = {
  suspend: "suspendMember",
  reinstate: "reinstateMember",
  terminate: "terminateMember",
} as const

/** Null until the form is complete. */
function proposedChangeOf(
  act: MemberAct,
  memberId: string,
  { on, tierId, laterChanges }: { on: string | null; tierId: string | null; laterChanges: LaterChanges },
): ProposedChange | null {
  const memberIds = [memberId]
  if (act === "withdraw") return { act: "withdrawPlans", memberIds }
  if (on === null) return null
  if (act === "changeTier") return tierId === null ? null : { act, memberIds, tierId, on, laterChanges }
  if (act === "terminate" || act === "leave") return { act: "terminateMember", memberIds, on }
  return { act: suggestedMemberActions[act], memberIds, on, laterChanges }
}
