import { Select, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { type PayoutMethod, payoutMethodNames, payoutMethods } from "@milkwood/domain/payouts/payout"
import { payee } from "@milkwood/domain/payouts/payout-shape"
import { BankFields } from "../ui/bank-fields.tsx"

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

const payeeKeys = { bank: "payeeBank", branchCode: "payeeBranchCode", accountNumber: "payeeAccountNumber" } as const

export function AccountFields<
  Values extends Pick<PayeeValues, "payeeBank" | "payeeBranchCode" | "payeeAccountNumber">,
>({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <BankFields
      required
      inputProps={(field) => form.getInputProps(payeeKeys[field])}
      onChange={(field, value) => form.setFieldValue(payeeKeys[field], value as never)}
    />
  )
}
