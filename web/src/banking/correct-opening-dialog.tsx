import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { BankAccountRow } from "@milkwood/domain/banking/banking.contract"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { DayText, InstantText } from "../ui/day.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { MoneyText } from "../ui/money.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { useBankAccountCommands } from "./banking.api.ts"
import classes from "./banking.module.css"

export default function CorrectOpeningDialog({ account, onClose }: { account: BankAccountRow; onClose: () => void }) {
  const { correctOpening } = useBankAccountCommands()
  const [idempotencyKey] = useState(newKey)
  const { id: accountId, name, version, openedOn, corrections } = account
  const before = account.openingCents ?? 0
  const form = useForm<{ openingCents: number | null; reason: string }>({
    initialValues: { openingCents: before, reason: "" },
    validate: {
      openingCents: (cents) =>
        cents === null ? "Enter the balance" : cents === before ? "This is already the opening balance" : null,
      reason: requireText("Enter a reason"),
    },
  })
  const by = (form.values.openingCents ?? before) - before
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Correct the opening balance of ${name}`}
      submit="Correct balance"
      words={
        <>
          The statements of {name} start on {openedOn && <DayText day={openedOn} />}, with an opening balance of{" "}
          <MoneyText cents={before} />. The difference is posted to opening balances on that day.
        </>
      }
      form={form}
      save={({ openingCents, reason }) =>
        correctOpening.mutateAsync({ accountId, version, idempotencyKey, openingCents: openingCents ?? before, reason })
      }
    >
      <MoneyInput
        label="Balance before the first line"
        description={
          by === 0 ? (
            "As on the bank statement"
          ) : (
            <>
              <MoneyText cents={Math.abs(by)} /> {by > 0 ? "more" : "less"} than the current opening balance
            </>
          )
        }
        required
        {...form.getInputProps("openingCents")}
      />
      <Textarea label="Reason" required autosize minRows={2} maxLength={500} {...form.getInputProps("reason")} />
      {corrections.length > 0 && (
        <ul className={classes.words} aria-label="Earlier corrections">
          {corrections.map(({ correctedAt, correctedByName, beforeCents, afterCents, reason }) => (
            <li key={correctedAt}>
              <InstantText at={correctedAt} />, {correctedByName}: from <MoneyText cents={beforeCents} /> to{" "}
              <MoneyText cents={afterCents} />. {reason}
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  )
}
