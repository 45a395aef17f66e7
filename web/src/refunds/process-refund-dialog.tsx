import { Alert, Select, SimpleGrid, Text, Textarea, TextInput } from "@mantine/core"
import { type UseFormReturnType, useForm } from "@mantine/form"
import { useDebouncedValue } from "@mantine/hooks"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { payee } from "@milkwood/domain/payouts/payout-shape"
import {
  isCorrectionReason,
  type RefundMethod,
  type RefundReason,
  refundMethodNames,
  refundMethods,
  refundReasonNames,
  refundReasons,
} from "@milkwood/domain/refunds/refund"
import type { RefundDetail, RefundOffer } from "@milkwood/domain/refunds/refunds.contract"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { AccountFields } from "../payouts/payee-fields.tsx"
import { api, newKey } from "../platform/api.ts"
import { PolicySelect } from "../policies/policy-select.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { MoneyText } from "../ui/money.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { serverSearchProps } from "../ui/server-search.ts"
import { refundOfferQuery, useProcessRefund } from "./refunds.api.ts"

interface Values {
  policyId: string | null
  memberId: string | null
  amountCents: number | null
  method: RefundMethod
  reason: RefundReason
  periodFromOn: string | null
  periodToOn: string | null
  reference: string
  notes: string
  payeeName: string
  payeeBank: string
  payeeBranchCode: string
  payeeAccountNumber: string
}

interface ProcessRefundDialogProps {
  policyId?: string
  onClose: () => void
  onDone: (refund: RefundDetail) => void
}

export default function ProcessRefundDialog({ policyId, onClose, onDone }: ProcessRefundDialogProps) {
  const make = useProcessRefund()
  const [idempotencyKey] = useState(newKey)
  // On close, navigates either to the new refund or to the list.
  const made = useRef<RefundDetail>(undefined)
  const form = useForm<Values>({
    initialValues: {
      policyId: policyId ?? null,
      memberId: null,
      amountCents: null,
      method: "bank_transfer",
      reason: "overpayment",
      periodFromOn: null,
      periodToOn: null,
      reference: "",
      notes: "",
      payeeName: "",
      payeeBank: "",
      payeeBranchCode: "",
      payeeAccountNumber: "",
    },
    validate: (values) => ({
      ...(values.policyId === null ? { policyId: "Please select a policy" } : {}),
      ...(values.amountCents === null || values.amountCents <= 0 ? { amountCents: "Enter an amount above zero" } : {}),
      ...(values.method === "credit_note" ? {} : payeeErrorsOf(values)),
    }),
  })
  const { values } = form
  const offer = useQuery(refundOfferQuery(values.policyId, values.reason))
  usePrefilledPayee(form, offer.data)
  return (
    <FormDialog
      opened
      onClose={() => (made.current ? onDone(made.current) : onClose())}
      size={640}
      title="Process Refund"
      submit="Process Refund"
      words="A refund uses the policy's credit immediately. If it is paid out, someone else must release the payment."
      form={form}
      save={async ({ policyId: chosen, amountCents, ...rest }) => {
        made.current = await make.mutateAsync({
          idempotencyKey,
          policyId: chosen!,
          amountCents: amountCents!,
          correctionCents: offer.data?.correctionCents ?? 0,
          ...rest,
        })
      }}
    >
      <PolicySelect
        label="Policy"
        required
        statuses={["Active", "Suspended", "Terminated", "Expired"]}
        {...form.getInputProps("policyId")}
        onChange={(id) => form.setValues({ policyId: id, memberId: null })}
      />
      <MemberSelect policyId={values.policyId} {...form.getInputProps("memberId")} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label="Refund Reason"
          required
          allowDeselect={false}
          data={refundReasons.map((value) => ({ value, label: refundReasonNames[value] }))}
          {...form.getInputProps("reason")}
        />
        <Select
          label="Refund Method"
          required
          allowDeselect={false}
          data={refundMethods.map((value) => ({ value, label: refundMethodNames[value] }))}
          {...form.getInputProps("method")}
        />
      </SimpleGrid>
      {offer.data && <OfferSummary offer={offer.data} reason={values.reason} />}
      <MoneyInput label="Refund Amount" required {...form.getInputProps("amountCents")} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <DayInput label="Period From" {...form.getInputProps("periodFromOn")} />
        <DayInput label="Period To" {...form.getInputProps("periodToOn")} />
      </SimpleGrid>
      {values.method === "credit_note" ? (
        <Text size="sm" c="dimmed">
          The credit stays with the policy: it pays the open invoices now, and future ones when they are sent.
        </Text>
      ) : (
        <>
          <TextInput
            label="Payee"
            required
            description={
              !offer.data
                ? "The payer of the premium"
                : offer.data.payee.isKnown
                  ? "The payee of this policy's last refund. A second person must confirm a different account."
                  : "The payer of the premium. Nothing was paid out on this policy before, so someone else must release a payment to this account."
            }
            {...form.getInputProps("payeeName")}
          />
          {values.method !== "cheque" && <AccountFields form={form} />}
        </>
      )}
      <TextInput label="Reference Number" placeholder="The refund's number" {...form.getInputProps("reference")} />
      <Textarea label="Notes" autosize minRows={2} {...form.getInputProps("notes")} />
    </FormDialog>
  )
}

function payeeErrorsOf(values: Values): Record<string, string> {
  const checked = payee.safeParse(values)
  return checked.success
    ? {}
    : Object.fromEntries(checked.error.issues.map(({ path, message }) => [String(path[0]), message]))
}

function usePrefilledPayee(
  form: Pick<UseFormReturnType<Values>, "getValues" | "setValues">,
  offer: RefundOffer | undefined,
) {
  const filled = useRef<Partial<Values>>({})
  useEffect(() => {
    if (!offer) return
    const { isKnown: _, ...who } = offer.payee
    const start: Partial<Values> = { ...who, ...(offer.releasedCents > 0 ? { amountCents: offer.releasedCents } : {}) }
    const now = form.getValues()
    const typed = (name: keyof Values) => now[name] !== null && now[name] !== "" && now[name] !== filled.current[name]
    const fields = Object.entries(start).filter(
      ([name, value]) => !typed(name as keyof Values) && now[name as keyof Values] !== value,
    )
    filled.current = { ...filled.current, ...start }
    if (fields.length > 0) form.setValues(Object.fromEntries(fields))
  }, [offer, form.getValues, form.setValues])
}

function OfferSummary({ offer, reason }: { offer: RefundOffer; reason: RefundReason }) {
  const { currency } = useDisplay()
  const { creditCents, correctionCents, correction, creditAfterCents, parked } = offer
  if (parked)
    return <Alert color="yellow" variant="light" title="The invoices cannot be corrected now">{`${parked}.`}</Alert>
  if (!isCorrectionReason(reason) || correctionCents === 0) {
    return (
      <Text size="sm">
        The policy has <MoneyText cents={creditCents} /> of credit.
        {isCorrectionReason(reason) && " Everything that was billed is owed: no credit note is created."}
      </Text>
    )
  }
  return (
    <Alert
      color="blue"
      variant="light"
      title={`A credit note of ${formatMoney(correctionCents, currency)} is created first`}
    >
      {correction.slice(0, 5).map((sentence) => (
        <Text key={sentence} size="sm">
          {sentence}
        </Text>
      ))}
      {correction.length > 5 && <Text size="sm">and {correction.length - 5} more</Text>}
      <Text size="sm" mt="xs">
        The policy then has <MoneyText cents={creditAfterCents} /> of credit; it has <MoneyText cents={creditCents} />{" "}
        now.
      </Text>
    </Alert>
  )
}

function MemberSelect({
  policyId,
  ...field
}: {
  policyId: string | null
  value?: string | null
  onChange?: (id: string | null) => void
  error?: React.ReactNode
}) {
  const [typed, setTyped] = useState("")
  const [search] = useDebouncedValue(typed, 150)
  const found = useQuery({
    ...api.members.pick.queryOptions({
      input: { policyId: policyId ?? undefined, search: search.includes(" · ") ? "" : search },
    }),
    placeholderData: keepPreviousData,
    enabled: policyId !== null,
  })
  const members = policyId === null ? [] : (found.data ?? [])
  return (
    <Select
      label="Member"
      clearable
      disabled={policyId === null}
      placeholder="All members of the policy"
      nothingFoundMessage={found.isFetching ? "Searching..." : "No member matches"}
      {...serverSearchProps(
        typed !== "" && typed === search && found.isSuccess && !found.isPlaceholderData && members.length === 1,
      )}
      searchValue={typed}
      onSearchChange={setTyped}
      data={members.map(({ id, firstName, lastName, number }) => ({
        value: id,
        label: `${firstName} ${lastName} · ${number}`,
      }))}
      {...field}
    />
  )
}
