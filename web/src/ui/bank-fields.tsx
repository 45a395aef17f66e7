import { Autocomplete, SimpleGrid, TextInput } from "@mantine/core"
import { type BankDetails, banks, findBankByName } from "@milkwood/domain/kernel/bank-details"

interface BankFieldsProps {
  required?: boolean
  /** Props of a field's input, for example `form.getInputProps(field)`. */
  inputProps: (field: keyof BankDetails) => object
  onChange: (field: keyof BankDetails, value: string) => void
}

/** Bank, branch code and account number. Choosing a known bank fills in its universal branch code. */
export function BankFields({ required = false, inputProps, onChange }: BankFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <Autocomplete
        label="Bank"
        required={required}
        data={banks.map(({ name }) => name)}
        {...inputProps("bank")}
        onChange={(name) => {
          onChange("bank", name)
          const bank = findBankByName(name)
          if (bank) onChange("branchCode", bank.universal)
        }}
      />
      <TextInput
        label="Branch code"
        required={required}
        inputMode="numeric"
        maxLength={6}
        {...inputProps("branchCode")}
      />
      <TextInput
        label="Account number"
        required={required}
        inputMode="numeric"
        maxLength={16}
        {...inputProps("accountNumber")}
      />
    </SimpleGrid>
  )
}
