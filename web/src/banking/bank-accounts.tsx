import { Button, Group, SimpleGrid, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { BankAccountRow } from "@milkwood/domain/banking/banking.contract"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { newKey } from "../platform/api.ts"
import { DayText } from "../ui/day.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { SettingsLine, SettingsList, SettingsSection } from "../ui/line-list.tsx"
import { MoneyText } from "../ui/money.tsx"
import { bankAccountsQuery, useBankAccountCommands } from "./banking.api.ts"

const CorrectOpeningDialog = lazy(() => import("./correct-opening-dialog.tsx"))

export function BankAccounts() {
  const accounts = useQuery(bankAccountsQuery())
  const [edited, setEdited] = useState<BankAccountRow | "new">()
  const [opening, setOpening] = useState<BankAccountRow>()
  return (
    <SettingsSection
      title="Bank accounts"
      words="Import the statements of these accounts in Reconciliation and match their lines there. Bank transfers that you record by hand are posted to the main account until you match them with a statement line of another account."
      query={accounts}
      failed="Failed to load bank accounts"
    >
      <SettingsList label="Bank accounts">
        {accounts.data?.map((account) => (
          <SettingsLine
            key={account.id}
            what={account.name}
            words={
              <>
                {account.bank}, {account.accountNumber}
                {account.isMain && ", main account"}
                {account.openedOn && (
                  <>
                    , statements from <DayText day={account.openedOn} />, with an opening balance of{" "}
                    <MoneyText cents={account.openingCents} />
                    {account.corrections.length > 0 && " (corrected)"}
                  </>
                )}
              </>
            }
          >
            <Group gap="xs">
              {account.allowedActions.includes("correctOpening") && (
                <Button variant="default" size="xs" onClick={() => setOpening(account)}>
                  Correct opening balance<span className="visually-hidden"> of {account.name}</span>
                </Button>
              )}
              {account.allowedActions.includes("edit") && (
                <Button variant="default" size="xs" onClick={() => setEdited(account)}>
                  Edit<span className="visually-hidden"> {account.name}</span>
                </Button>
              )}
            </Group>
          </SettingsLine>
        ))}
      </SettingsList>
      <Button variant="default" mt="sm" onClick={() => setEdited("new")}>
        Add bank account
      </Button>
      {edited && <AccountDialog account={edited === "new" ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {opening && (
        <Suspense fallback={null}>
          <CorrectOpeningDialog account={opening} onClose={() => setOpening(undefined)} />
        </Suspense>
      )}
    </SettingsSection>
  )
}

function AccountDialog({ account, onClose }: { account: BankAccountRow | undefined; onClose: () => void }) {
  const { add, edit } = useBankAccountCommands()
  const [idempotencyKey] = useState(newKey)
  const form = useForm({
    initialValues: {
      name: account?.name ?? "",
      bank: account?.bank ?? "",
      accountNumber: account?.accountNumber ?? "",
      branchCode: account?.branchCode ?? "",
    },
    validate: {
      name: requireText("Enter a name for the account"),
      bank: requireText("Enter the name of the bank"),
      accountNumber: (number) =>
        /^\d{5,16}$/.test(number.trim()) ? null : "Enter an account number of 5 to 16 digits",
      branchCode: (code) => (/^(\d{6})?$/.test(code.trim()) ? null : "Enter a branch code of 6 digits"),
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={account ? "Edit bank account" : "Add bank account"}
      submit={account ? "Save" : "Add bank account"}
      form={form}
      save={(values) =>
        account
          ? edit.mutateAsync({ accountId: account.id, version: account.version, account: values })
          : add.mutateAsync({ idempotencyKey, account: values })
      }
    >
      <TextInput
        label="Name"
        description="The name your colleagues use"
        required
        maxLength={60}
        {...form.getInputProps("name")}
      />
      <TextInput label="Bank" required maxLength={60} {...form.getInputProps("bank")} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label="Account number"
          required
          inputMode="numeric"
          readOnly={account?.openedOn != null}
          description={account?.openedOn ? "Cannot be changed after a statement is imported" : undefined}
          {...form.getInputProps("accountNumber")}
        />
        <TextInput label="Branch code" inputMode="numeric" {...form.getInputProps("branchCode")} />
      </SimpleGrid>
    </FormDialog>
  )
}
