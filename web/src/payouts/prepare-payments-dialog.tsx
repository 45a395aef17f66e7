import { Anchor, Button, Checkbox, Group, Modal, Select, Stack, Table, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { paymentsToPrepare } from "@milkwood/domain/claims/claim-payees"
import type { Cents } from "@milkwood/domain/kernel/money"
import { type PayoutMethod, payoutMethodNames, payoutMethods } from "@milkwood/domain/payouts/payout"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useRef, useState } from "react"
import { newKey } from "../platform/api.ts"
import { useEscape } from "../platform/keyboard.ts"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyText } from "../ui/money.tsx"
import { BatchFields, type BatchValues } from "./batch-fields.tsx"
import { batchChoicesQuery, claimPayeesQuery, usePreparePayments } from "./payouts.api.ts"

export interface PaidClaim {
  id: string
  number: string
  openCents: Cents
}

type Prepared = Awaited<ReturnType<ReturnType<typeof usePreparePayments>["mutateAsync"]>>

interface PreparePaymentsDialogProps {
  claims: readonly PaidClaim[]
  onClose: () => void
  onDone: (prepared: Prepared) => void
}

interface Values extends BatchValues {
  method: PayoutMethod
  isBatch: boolean
}

/** One payment for each recorded payee. For several claims, all payments are put into one batch by default. */
export function PreparePaymentsDialog(props: PreparePaymentsDialogProps) {
  const choices = useQuery(batchChoicesQuery())
  return choices.isPending ? null : <PrepareForm choices={choices.data} {...props} />
}

type Choices = ReturnType<typeof useQuery<Awaited<ReturnType<ReturnType<typeof batchChoicesQuery>["queryFn"]>>>>["data"]

function PrepareForm({ choices, claims, onClose, onDone }: PreparePaymentsDialogProps & { choices: Choices }) {
  const prepare = usePreparePayments()
  const [idempotencyKey] = useState(newKey)
  const [partly, setPartly] = useState<Prepared>()
  const made = useRef<Prepared>(undefined)
  const accounts = choices?.accounts ?? []
  const form = useForm<Values>({
    initialValues: {
      method: "bank_transfer",
      isBatch: claims.length > 1 && accounts.length > 0,
      bankAccountId: accounts[0]?.id ?? null,
      executionOn: choices?.firstDay ?? null,
      format: "pain001",
    },
    validate: (values) =>
      isBatched(values)
        ? {
            bankAccountId: requireText("Choose the account to pay from")(values.bankAccountId),
            executionOn: requireText("Enter the execution day")(values.executionOn),
          }
        : {},
  })
  const values = form.getValues()
  const isBankMethod = values.method === "bank_transfer" || values.method === "eft"
  const openCents = claims.reduce((sum, claim) => sum + claim.openCents, 0)
  if (partly) return <PartlyPrepared prepared={partly} onClose={() => onDone(partly)} />
  return (
    <FormDialog
      opened
      onClose={() => {
        if (!made.current) return onClose()
        if (made.current.refused.length > 0) setPartly(made.current)
        else onDone(made.current)
      }}
      size={620}
      title={
        claims.length === 1 ? `Prepare payments for ${claims[0]!.number}` : `Make payments for ${claims.length} claims`
      }
      submit="Prepare payments"
      words={
        <>
          Each recorded payee gets a payment. Together at most <MoneyText cents={openCents} />. The payments can be paid
          after someone else releases them.
        </>
      }
      form={form}
      save={async (values) => {
        const { method, bankAccountId, executionOn, format } = values
        made.current = await prepare.mutateAsync({
          idempotencyKey,
          claimIds: claims.map(({ id }) => id),
          method,
          ...(isBatched(values) ? { batch: { bankAccountId: bankAccountId!, executionOn: executionOn!, format } } : {}),
        })
      }}
    >
      {claims.length === 1 && <PayeesOfClaim claimId={claims[0]!.id} method={values.method} />}
      <Select
        label="Payment Method"
        required
        allowDeselect={false}
        data={payoutMethods.map((value) => ({ value, label: payoutMethodNames[value] }))}
        {...form.getInputProps("method")}
      />
      {isBankMethod && (
        <Checkbox label="Put the payments into a new batch" {...form.getInputProps("isBatch", { type: "checkbox" })} />
      )}
      {isBatched(values) && <BatchFields form={form} accounts={accounts} />}
    </FormDialog>
  )
}

const isBatched = ({ isBatch, method }: Pick<Values, "isBatch" | "method">) =>
  isBatch && (method === "bank_transfer" || method === "eft")

function PayeesOfClaim({ claimId, method }: { claimId: string; method: PayoutMethod }) {
  const { data } = useQuery(claimPayeesQuery(claimId))
  if (!data?.current) return null
  const { payees } = data.current
  const paid = new Set(payees.filter(({ hasPayment }) => hasPayment).map(({ id }) => id))
  const sum = payees.reduce((cents, { amountCents }) => cents + (amountCents ?? 0), 0)
  const { payments, refused } = paymentsToPrepare(
    { status: "approved", claimType: null, approvedAmountCents: sum },
    payees,
    paid,
    method,
  )
  return (
    <>
      {payments.length > 0 && (
        <Table>
          <Table.Tbody>
            {payments.map(({ payee, amountCents }) => (
              <Table.Tr key={payee.id}>
                <Table.Td pl={0}>
                  {payee.name}
                  <Text size="xs" c="dimmed">
                    {[payee.receiverName, payee.bank, payee.accountNumber].filter(Boolean).join(", ")}
                  </Text>
                </Table.Td>
                <Table.Td ta="right" pr={0}>
                  <MoneyText cents={amountCents} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {refused.length > 0 && <InlineError tone="warning">{refused.join(" ")}</InlineError>}
    </>
  )
}

function PartlyPrepared({ prepared: { payments, refused }, onClose }: { prepared: Prepared; onClose: () => void }) {
  useEscape(onClose, true)
  const cents = payments.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return (
    <Modal opened onClose={onClose} title="Some payments were not prepared" size={620}>
      <Stack gap="sm">
        <Text>
          {payments.length === 1 ? "1 payment was" : `${payments.length} payments were`} prepared,{" "}
          <MoneyText cents={cents} />. These were left out:
        </Text>
        <ul>
          {refused.map(({ claimId, number, memberName, reason }) => (
            <li key={claimId + reason}>
              <Anchor
                renderRoot={(props) => (
                  <Link {...props} to="/claims/$claimId" params={{ claimId }} hash="payees" onClick={onClose} />
                )}
              >
                {number}
              </Anchor>
              , {memberName}: {reason}
            </li>
          ))}
        </ul>
        <Group justify="flex-end">
          <Button data-autofocus onClick={onClose}>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
