import { NumberInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { ChildCap } from "@milkwood/domain/benefits/child-cap"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { DayInput } from "../ui/day-input.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { MoneyInput } from "../ui/money-input.tsx"

interface ChildCoverCapDialogProps {
  cap?: ChildCap
  others: readonly ChildCap[]
  onSave: (cap: ChildCap) => Promise<unknown>
  onClose: () => void
}

interface Draft {
  belowAge: number | string
  amountCents: Cents | null
  from: Day | null
}

export default function ChildCoverCapDialog({ cap, others, onSave, onClose }: ChildCoverCapDialogProps) {
  const form = useForm<Draft>({
    initialValues: cap ?? { belowAge: "", amountCents: null, from: null },
    validate: {
      belowAge: (age, { from }) => {
        if (!Number.isInteger(age) || Number(age) < 1 || Number(age) > 26) return "Enter an age from 1 to 26"
        const isTaken = others.some((other) => other.belowAge === age && other.from === from)
        return isTaken ? "There is already a limit for this age from this day" : null
      },
      amountCents: (cents) => (cents === null || cents <= 0 ? "Enter an amount above zero" : null),
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={cap ? "Edit limit of cover on a child's life" : "Add limit of cover on a child's life"}
      submit="Save"
      form={form}
      save={({ belowAge, amountCents, from }) =>
        onSave({ belowAge: Number(belowAge), amountCents: amountCents!, from })
      }
    >
      <NumberInput
        label="Child under (years)"
        description="Age on the day of death"
        withAsterisk
        allowDecimal={false}
        {...form.getInputProps("belowAge")}
      />
      <MoneyInput label="At most" required {...form.getInputProps("amountCents")} />
      <DayInput
        label="For deaths from"
        description="Leave empty for every day. To change an amount, add a limit from a later day"
        {...form.getInputProps("from")}
      />
    </FormDialog>
  )
}
