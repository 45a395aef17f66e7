import { Radio, Stack, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { ClaimReserve } from "@milkwood/domain/claims/reserve.contract"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { MoneyText } from "../ui/money.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { useSetReserve } from "./claims.api.ts"

interface Values {
  basis: "amount" | "proposed"
  amountCents: number | null
  reason: string
}

interface ReserveDialogProps {
  number: string
  reserve: ClaimReserve
  onClose: () => void
}

export default function ReserveDialog({ number, reserve, onClose }: ReserveDialogProps) {
  const { claimId, version, reserveCents, proposedCents, setCents } = reserve
  const setReserve = useSetReserve()
  const form = useForm<Values>({
    initialValues: { basis: "amount", amountCents: null, reason: "" },
    validate: {
      amountCents: (cents, { basis }) =>
        basis === "amount" && (cents === null || cents < 0) ? "Enter the amount of the reserve." : null,
      reason: requireText("Enter a reason."),
    },
  })
  const { basis, amountCents } = form.values
  const nextCents = basis === "proposed" ? proposedCents : amountCents
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Change the reserve of ${number}`}
      words={
        <>
          The reserve is <MoneyText cents={reserveCents} /> now. The change is posted to claims outstanding today.
        </>
      }
      submit="Change reserve"
      form={form}
      save={({ basis, amountCents, reason }) =>
        setReserve.mutateAsync({ claimId, version, amountCents: basis === "proposed" ? null : amountCents!, reason })
      }
    >
      {(setCents !== null || reserveCents !== proposedCents) && (
        <Radio.Group label="Reserve" {...form.getInputProps("basis")}>
          <Stack gap="xs" mt={4}>
            <Radio value="amount" label="Enter an amount" />
            <Radio
              value="proposed"
              label={
                <>
                  Use the proposed amount, <MoneyText cents={proposedCents} />
                </>
              }
            />
          </Stack>
        </Radio.Group>
      )}
      {basis === "amount" && <MoneyInput label="Amount" required {...form.getInputProps("amountCents")} />}
      <Textarea label="Reason" required autosize minRows={3} maxLength={1_000} {...form.getInputProps("reason")} />
      {nextCents !== null && nextCents !== reserveCents && (
        <div>
          The reserve {nextCents > reserveCents ? "rises" : "falls"} by{" "}
          <MoneyText cents={Math.abs(nextCents - reserveCents)} /> to <MoneyText cents={nextCents} />.
        </div>
      )}
    </FormDialog>
  )
}
