import { Radio, Stack } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { BankLineRow } from "@milkwood/domain/banking/banking.contract"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api, newKey } from "../platform/api.ts"
import { DayText } from "../ui/day.tsx"
import { EmptyState } from "../ui/empty-state.tsx"
import { required } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import { useLineCommands } from "./banking.api.ts"
import classes from "./banking.module.css"

/** Which receipt a line is, the likeliest first, each with its reasons. */
export default function LinkDialog({ line, onClose }: { line: BankLineRow; onClose: () => void }) {
  const found = useQuery(api.banking.receiptsFor.queryOptions({ input: { lineId: line.id } }))
  const { link } = useLineCommands()
  const [idempotencyKey] = useState(newKey)
  const form = useForm({ initialValues: { receiptId: "" }, validate: { receiptId: required("Choose the receipt") } })
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={640}
      title="Link to a receipt"
      submit="Link to receipt"
      words={
        <>
          <MoneyText cents={line.amountCents} /> on <DayText day={line.day} />: {line.text}
          {line.reference && ` · ${line.reference}`}
        </>
      }
      form={form}
      save={({ receiptId }) => link.mutateAsync({ lineId: line.id, receiptId, idempotencyKey })}
    >
      {found.isError && !found.data && (
        <LoadFailed
          title="Failed to load receipts"
          error={found.error}
          onRetry={found.refetch}
          busy={found.isFetching}
        />
      )}
      {found.isLoading && <p className={classes.words}>Looking for receipts...</p>}
      {found.data?.length === 0 && (
        <EmptyState title="No receipt of this amount">
          None within three months around the line that no other line has. Record it under Receipting first.
        </EmptyState>
      )}
      {found.data && found.data.length > 0 && (
        <Radio.Group label="Receipt" required {...form.getInputProps("receiptId")}>
          <Stack gap={8} mt={6}>
            {found.data.map(({ id, number, groupName, policyNumber, receivedOn, reasons }) => (
              <Radio
                key={id}
                value={id}
                label={
                  <>
                    {number}, {groupName} ({policyNumber}), <DayText day={receivedOn} />
                  </>
                }
                description={`${reasons.join(". ")}.`}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </FormDialog>
  )
}
