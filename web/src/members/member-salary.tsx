import { Button, Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { ProposedChange } from "@milkwood/domain/billing/effect-shape"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import type { LaterChanges } from "@milkwood/domain/kernel/timeline"
import type { MemberDetail } from "@milkwood/domain/members/members.contract"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { EffectNote } from "../billing/effect-note.tsx"
import { api } from "../platform/api.ts"
import { useSession } from "../platform/session.ts"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { FutureChangesChoice, futureChangesAfter } from "../ui/later-changes.tsx"
import { MoneyText } from "../ui/money.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { FactList, SidePanel } from "../ui/record-page.tsx"
import { useCommand } from "../ui/use-command.ts"
import { salariesQuery } from "./members.api.ts"

/** Only for users with access to salaries. */
export function MemberSalary({ member }: { member: MemberDetail }) {
  const { can } = useSession()
  const { dayFormat } = useDisplay()
  const [open, setOpen] = useState(false)
  const may = can("members.salary")
  const salaries = useQuery(salariesQuery(may ? member.id : null))
  if (!may) return null
  return (
    <SidePanel title="Salary">
      <Stack gap="xs">
        {salaries.data?.length === 0 && (
          <Text size="sm" c="dimmed">
            No salary on record. Used to calculate salary-based cover.
          </Text>
        )}
        {salaries.data && salaries.data.length > 0 && (
          <FactList
            rows={salaries.data.map(({ fromOn, monthlyCents }) => [
              `From ${formatDay(fromOn, dayFormat)}`,
              <MoneyText key="amount" cents={monthlyCents} />,
            ])}
          />
        )}
        {member.status !== "Terminated" && (
          <Button variant="default" size="compact-md" style={{ alignSelf: "flex-start" }} onClick={() => setOpen(true)}>
            Set salary
          </Button>
        )}
      </Stack>
      {open && <SalaryDialog member={member} onClose={() => setOpen(false)} />}
    </SidePanel>
  )
}

function SalaryDialog({ member, onClose }: { member: MemberDetail; onClose: () => void }) {
  const { today, currency } = useDisplay()
  const salaries = useQuery(salariesQuery(member.id))
  const setSalary = useCommand(api.members.setSalary, { success: "Salary saved", failure: "Failed to save the salary" })
  const form = useForm({
    initialValues: {
      monthlyCents: null as number | null,
      on: today as string | null,
      laterChanges: "keep" as LaterChanges,
    },
    validate: { monthlyCents: requireText("Enter the monthly salary"), on: requireText("Enter the start date") },
  })
  const later = futureChangesAfter(
    (salaries.data ?? []).map(({ fromOn, monthlyCents }) => ({
      on: fromOn,
      words: formatMoney(monthlyCents, currency),
    })),
    form.values.on,
  )
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Set salary"
      words="Visible only to users with access to salaries. It never appears in documents, e-mails or history."
      submit="Save salary"
      form={form}
      save={({ monthlyCents, on, laterChanges }) =>
        setSalary.mutateAsync({
          ...{ memberId: member.id, version: member.version, monthlyCents, on: on! },
          ...(later.length > 0 ? { laterChanges } : {}),
        })
      }
    >
      <MoneyInput label="Per month" required {...form.getInputProps("monthlyCents")} />
      <DayInput label="From" required {...form.getInputProps("on")} />
      <FutureChangesChoice changes={later} {...form.getInputProps("laterChanges")} />
      <EffectNote change={proposedSalaryChange(member.id, form.values)} />
    </FormDialog>
  )
}

/** Null until the form is complete. */
function proposedSalaryChange(
  memberId: string,
  { monthlyCents, on, laterChanges }: { monthlyCents: number | null; on: string | null; laterChanges: LaterChanges },
): ProposedChange | null {
  return monthlyCents && on ? { act: "setSalary", memberId, monthlyCents, on, laterChanges } : null
}
