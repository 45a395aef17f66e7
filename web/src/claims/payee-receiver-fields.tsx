import { Select, SimpleGrid, Stack, TextInput } from "@mantine/core"
import { type PayeeReceiver, payeeReceiverNames, payeeReceivers } from "@milkwood/domain/claims/claim-payees"
import { BankFields } from "../ui/bank-fields.tsx"

const receiverChoices = payeeReceivers.map((value) => ({ value, label: payeeReceiverNames[value] }))

export type ReceiverField = "receivedBy" | "receiverName" | "bank" | "branchCode" | "accountNumber" | "email"

interface PayeeReceiverFieldsProps {
  receivedBy: PayeeReceiver
  inputProps: (field: ReceiverField) => object
  onChange: (field: ReceiverField, value: string) => void
}

/** How a payee receives the money, and the account of the receiver. */
export function PayeeReceiverFields({ receivedBy, inputProps, onChange }: PayeeReceiverFieldsProps) {
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="sm">
        <Select label="Receives the money" allowDeselect={false} data={receiverChoices} {...inputProps("receivedBy")} />
        {receivedBy !== "self" && (
          <TextInput
            label={receivedBy === "trust" ? "Name of the trust" : "Guardian’s name"}
            required
            maxLength={140}
            {...inputProps("receiverName")}
          />
        )}
        <TextInput label="Remittance advice to" type="email" {...inputProps("email")} />
      </SimpleGrid>
      <BankFields inputProps={inputProps} onChange={onChange} />
    </Stack>
  )
}
