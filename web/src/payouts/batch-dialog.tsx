import { useForm } from "@mantine/form"
import type { PaymentFileFormat } from "@milkwood/domain/payouts/batch"
import type { BatchDetail } from "@milkwood/domain/payouts/batches.contract"
import { useQuery } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { newKey } from "../platform/api.ts"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import { BatchFields } from "./batch-fields.tsx"
import { batchChoicesQuery, useBatchCommands } from "./payouts.api.ts"

interface BatchDialogProps {
  /** Omitted: all waiting payments. */
  payoutIds?: string[]
  /** An open batch to edit; omitted: a new one. */
  batch?: BatchDetail
  onClose: () => void
  onDone: (batch: BatchDetail) => void
}

export default function BatchDialog(props: BatchDialogProps) {
  const choices = useQuery(batchChoicesQuery())
  if (choices.isError) {
    return <LoadFailed title="Failed to load the accounts" error={choices.error} onRetry={choices.refetch} />
  }
  return choices.data ? <BatchForm choices={choices.data} {...props} /> : null
}

type Choices = NonNullable<
  ReturnType<typeof useQuery<Awaited<ReturnType<ReturnType<typeof batchChoicesQuery>["queryFn"]>>>>["data"]
>

function BatchForm({ choices, payoutIds, batch, onClose, onDone }: BatchDialogProps & { choices: Choices }) {
  const { make, edit } = useBatchCommands()
  const [idempotencyKey] = useState(newKey)
  const made = useRef<BatchDetail>(undefined)
  const { accounts, firstDay, waiting } = choices
  const form = useForm({
    initialValues: {
      bankAccountId: batch?.bankAccountId ?? accounts[0]?.id ?? null,
      executionOn: (batch && batch.executionOn >= firstDay ? batch.executionOn : firstDay) as string | null,
      format: (batch?.format ?? "pain001") as PaymentFileFormat,
    },
    validate: {
      bankAccountId: requireText("Choose the account to pay from"),
      executionOn: requireText("Enter the execution day"),
    },
  })
  const count = payoutIds?.length ?? waiting.count
  return (
    <FormDialog
      opened
      onClose={() => (made.current ? onDone(made.current) : onClose())}
      title={batch ? `Edit ${batch.number}` : "Create batch"}
      submit={batch ? "Save" : "Create batch"}
      words={
        batch ? undefined : payoutIds ? (
          `${count} selected ${count === 1 ? "payment" : "payments"}. Someone who did not prepare these payments must release the batch.`
        ) : count === 0 ? (
          "No bank payments are waiting for release."
        ) : (
          <>
            {count === 1 ? "The one payment waiting for" : `All ${count} payments waiting for`} release,{" "}
            <MoneyText cents={waiting.cents} />.{" "}
            {count === 1 ? "Someone who did not prepare it" : "Someone who did not prepare these payments"} must release
            the batch.
          </>
        )
      }
      form={form}
      save={async ({ bankAccountId, executionOn, format }) => {
        const paid = { bankAccountId: bankAccountId!, executionOn: executionOn!, format }
        made.current = batch
          ? await edit.mutateAsync({ batchId: batch.id, version: batch.version, ...paid })
          : await make.mutateAsync({ idempotencyKey, ...paid, ...(payoutIds ? { payoutIds } : {}) })
      }}
    >
      <BatchFields form={form} accounts={accounts} />
    </FormDialog>
  )
}
