import { Autocomplete, Select, SimpleGrid, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { findBankByName, payeeBanks } from "@milkwood/domain/payouts/payee-banks"
import { type PayoutMethod, payoutMethodNames, payoutMethods } from "@milkwood/domain/payouts/payout"
import { payee } from "@milkwood/domain/payouts/payout-shape"

export interface PayeeValues {
  method: PayoutMethod
  payeeName: string
  payeeBank: string
  payeeBranchCode: string
  payeeAccountNumber: string
  payeeEmail: string
}

export function payeeErrorsOf(values: PayeeValues): Partial<Record<keyof PayeeValues, string>> {
  const checked = payee.safeParse(values)
  return checked.success ? {} : Object.fromEntries(checked.error.issues.map(({ path, message }) => [path[0], message]))
}

export function PayeeFields<Values extends PayeeValues>({ form }: { form: UseFormReturnType<Values> }) {
  const { method } = form.getValues()
  const bank = method === "bank_transfer" || method === "eft"
  return (
    <>
      <Select
        label="Payment Method"
        required
        data={payoutMethods.map((value) => ({ value, label: payoutMethodNames[value] }))}
        {...form.getInputProps("method")}
      />
      <TextInput label="Payee" required {...form.getInputProps("payeeName")} />
      {bank && <AccountFields form={form} />}
      <TextInput
        label="Remittance advice to"
        description="E-mail address to notify when the payment is completed"
        type="email"
        {...form.getInputProps("payeeEmail")}
      />
    </>
  )
}

/** Fills in the universal branch code of a known bank if none is typed. */
export function AccountFields<
  Values extends Pick<PayeeValues, "payeeBank" | "payeeBranchCode" | "payeeAccountNumber">,
>({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <Autocomplete
        label="Bank"
        required
        data={payeeBanks.map(({ name }) => name)}
        {...form.getInputProps("payeeBank")}
        onChange={(name) => {
          form.setFieldValue("payeeBank", name as never)
          const bank = findBankByName(name)
          if (bank) form.setFieldValue("payeeBranchCode", bank.universal as never)
        }}
      />
      <TextInput
        label="Branch code"
        required
        inputMode="numeric"
        maxLength={6}
        {...form.getInputProps("payeeBranchCode")}
      />
      <TextInput
        label="Account number"
        required
        inputMode="numeric"
        maxLength={16}
        {...form.getInputProps("payeeAccountNumber")}
      />
    </SimpleGrid>
  )
}
