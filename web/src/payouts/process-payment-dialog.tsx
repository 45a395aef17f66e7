import { Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useDebouncedValue } from "@mantine/hooks"
import { payeesNeeded } from "@milkwood/domain/claims/claim-payees"
import type { PayableClaim } from "@milkwood/domain/claims/claim-shape"
import { formatMoney } from "@milkwood/domain/kernel/money"
import type { PayoutDetail } from "@milkwood/domain/payouts/payouts.contract"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useRef, useState } from "react"
import { newKey } from "../platform/api.ts"
import { useEscape } from "../platform/keyboard.ts"
import { useDisplay } from "../ui/display.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { MoneyText } from "../ui/money.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { serverSearchProps } from "../ui/server-search.ts"
import { LastPayee } from "./last-payee.tsx"
import { PayeeFields, type PayeeValues, payeeErrorsOf } from "./payee-fields.tsx"
import { payableClaimsQuery, useCreatePayment } from "./payouts.api.ts"
import { PreparePaymentsDialog } from "./prepare-payments-dialog.tsx"

interface Values extends PayeeValues {
  claimId: string | null
  amountCents: number | null
  reference: string
  notes: string
}

interface ProcessPaymentDialogProps {
  claimId?: string
  onClose: () => void
  /** Null for several payments. */
  onDone: (payout: PayoutDetail | null) => void
}

export function ProcessPaymentDialog({ claimId, ...props }: ProcessPaymentDialogProps) {
  const preset = useQuery({ ...payableClaimsQuery({ claimId: claimId ?? "" }), enabled: claimId !== undefined })
  if (claimId !== undefined && preset.isPending) return null
  return <PaymentForm preset={preset.data?.[0]} {...props} />
}

function PaymentForm({
  preset,
  onClose,
  onDone,
}: Omit<ProcessPaymentDialogProps, "claimId"> & { preset?: PayableClaim }) {
  const { currency } = useDisplay()
  const make = useCreatePayment()
  const [idempotencyKey] = useState(newKey)
  const [typed, setTyped] = useState("")
  const made = useRef<PayoutDetail>(undefined)
  const [search] = useDebouncedValue(typed, 150)
  const form = useForm<Values>({
    initialValues: {
      claimId: preset?.id ?? null,
      amountCents: preset?.openCents ?? null,
      method: "bank_transfer",
      // Not prefilled: after a death claim, the member cannot be the payee.
      payeeName: "",
      payeeBank: "",
      payeeBranchCode: "",
      payeeAccountNumber: "",
      payeeEmail: "",
      reference: preset?.number ?? "",
      notes: "",
    },
    validate: (values) => ({
      ...(values.claimId === null ? { claimId: "Choose a claim" } : {}),
      ...(values.amountCents ? {} : { amountCents: "Enter an amount above zero" }),
      ...payeeErrorsOf(values),
    }),
  })
  const label = (claim: PayableClaim) =>
    `${claim.number} · ${claim.memberName} · ${formatMoney(claim.openCents, currency)}`
  const found = useQuery({
    ...payableClaimsQuery({ search: search.includes(" · ") ? "" : search }),
    placeholderData: keepPreviousData,
  })
  const claims = [...(found.data ?? [])]
  if (preset && !claims.some(({ id }) => id === preset.id)) claims.unshift(preset)
  const claim = claims.find(({ id }) => id === form.values.claimId)
  if (claim?.hasPayees) {
    return <PreparePaymentsDialog claims={[claim]} onClose={onClose} onDone={() => onDone(null)} />
  }
  if (claim?.needsPayees) return <PayeesNeeded claim={claim} onClose={onClose} />

  const choose = (next: PayableClaim | undefined) => {
    if (!next) return
    form.setFieldValue("reference", next.number)
    form.setFieldValue("amountCents", next.openCents)
  }
  return (
    <FormDialog
      opened
      onClose={() => (made.current ? onDone(made.current) : onClose())}
      size={620}
      title="Process Payment"
      submit="Prepare payment"
      words="The payment is prepared now. It can be paid after someone else releases it."
      form={form}
      save={async ({ claimId: chosen, amountCents, ...values }) => {
        made.current = await make.mutateAsync({
          idempotencyKey,
          claimId: chosen!,
          amountCents: amountCents!,
          ...values,
        })
      }}
    >
      <Select
        label="Claim"
        required
        placeholder="Claim number, member or group"
        nothingFoundMessage={found.isFetching ? "Searching..." : "No approved claims are waiting for payment"}
        {...serverSearchProps(
          typed !== "" && typed === search && found.isSuccess && !found.isPlaceholderData && found.data.length === 1,
        )}
        searchValue={typed}
        onSearchChange={setTyped}
        data={claims.map((each) => ({ value: each.id, label: label(each) }))}
        {...form.getInputProps("claimId")}
        onChange={(id) => {
          form.setFieldValue("claimId", id)
          choose(claims.find((each) => each.id === id))
        }}
      />
      {claim && (
        <Text c="dimmed" size="sm">
          {claim.groupName}, {claim.policyNumber} · approved <MoneyText cents={claim.approvedCents} />
          {claim.openCents !== claim.approvedCents && (
            <>
              , unpaid <MoneyText cents={claim.openCents} />
            </>
          )}
        </Text>
      )}
      <MoneyInput
        label="Payment Amount"
        description="The unpaid amount, or a part of it"
        required
        {...form.getInputProps("amountCents")}
      />
      {claim && <LastPayee claim={claim} form={form} />}
      <PayeeFields form={form} />
      <TextInput label="Reference Number" placeholder="The claim's number" {...form.getInputProps("reference")} />
      <Textarea label="Notes" autosize minRows={2} {...form.getInputProps("notes")} />
    </FormDialog>
  )
}

function PayeesNeeded({ claim: { id, number, memberName }, onClose }: { claim: PayableClaim; onClose: () => void }) {
  useEscape(onClose, true)
  return (
    <Modal opened onClose={onClose} title={`Payees needed for ${number}`}>
      <Stack gap="md">
        <Text>
          {memberName}: {payeesNeeded}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            data-autofocus
            renderRoot={(props) => <Link {...props} to="/claims/$claimId" params={{ claimId: id }} hash="payees" />}
          >
            Go to payees
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
