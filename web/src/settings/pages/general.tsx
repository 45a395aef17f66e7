import { Fieldset, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { dayFormats, formatDay } from "@milkwood/domain/kernel/calendar"
import type { Settings } from "@milkwood/domain/settings/settings"
import { createFileRoute } from "@tanstack/react-router"
import { BankAccounts } from "../../banking/bank-accounts.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { requireText } from "../../ui/form.ts"
import { ChildCoverCaps } from "../child-cover-caps.tsx"
import { createSettingForm, SettingInputs } from "../declared-settings.tsx"
import { LogoFieldset } from "../logo-fieldset.tsx"
import { SettingsForm } from "../settings-form.tsx"

export const Route = createFileRoute("/_app/settings/")({ component: GeneralSettings })

const dateKeys = ["timezone", "dateFormat"] as const
const holidayKeys = ["extraHolidays"] as const
const promiseKeys = [
  "deathPromiseDays",
  "disabilityPromiseDays",
  "medicalPromiseDays",
  "maternityPromiseDays",
  "otherPromiseDays",
] as const
const moneyKeys = ["currency", "defaultMemberPremiumCents", "premiumGraceDays", "writeOffLimitCents"] as const
const automationKeys = ["autoCredit", "autoMatch", "autoMatchUpToCents"] as const
const paymentKeys = ["releaseLimitCents", "batchLimitCents", "proofAboveCents", "payeeWaitHours", "bankCutOff"] as const
const claimKeys = ["objectionDays", "objectionAnswerDays", "legalActionMonths"] as const
const ombudKeys = ["ombudContact"] as const
const generalSettingKeys = [
  ...dateKeys,
  ...holidayKeys,
  ...promiseKeys,
  ...moneyKeys,
  ...automationKeys,
  ...paymentKeys,
  ...claimKeys,
  ...ombudKeys,
]

/** The organisation's details are one setting with several form fields. */
const organisationLabels = { name: "Organisation name", vatNumber: "VAT number", address: "Address" }
const bankLabels = {
  bank: "Bank",
  accountHolder: "Account holder",
  accountNumber: "Account number",
  branchCode: "Branch code",
}
const fieldLabels = { ...organisationLabels, ...bankLabels }

const organisationOf = ({ organisation: { bankAccount, ...organisation } }: Settings) => ({
  ...organisation,
  ...bankAccount,
})

const withOrganisation = (settings: Settings, values: ReturnType<typeof organisationOf>): Settings => {
  const { name, vatNumber, address, bank, accountHolder, accountNumber, branchCode } = values
  const bankAccount = { bank, accountHolder, accountNumber, branchCode }
  return { ...settings, organisation: { name, vatNumber, address, bankAccount } }
}

const formFieldByPath = Object.fromEntries([
  ...Object.keys(organisationLabels).map((name) => [`settings.organisation.${name}`, name]),
  ...Object.keys(bankLabels).map((name) => [`settings.organisation.bankAccount.${name}`, name]),
])

function GeneralSettings() {
  const { today, currency } = useDisplay()
  const declared = createSettingForm(generalSettingKeys, currency)
  const formats = dayFormats.map((format) => ({
    value: format,
    label: today ? `${format} (${formatDay(today, format)})` : format,
  }))
  return (
    <>
      <SettingsForm
        {...declared}
        valuesOf={(settings) => ({ ...organisationOf(settings), ...declared.valuesOf(settings) })}
        into={(settings, values) => withOrganisation(declared.into(settings, values), values)}
        labels={{ ...fieldLabels, ...declared.labels }}
        rename={{ ...formFieldByPath, ...declared.rename }}
        validate={{ ...declared.validate, name: requireText("Enter the organisation's name") }}
      >
        {(form, { recordsAmounts, logo }) => (
          <>
            <Fieldset legend="Organisation">
              <TextInput label={fieldLabels.name} required maxLength={120} {...form.getInputProps("name")} />
              <TextInput
                label={fieldLabels.vatNumber}
                description="Ten digits; appears on invoices. Needed to charge VAT"
                mt="sm"
                maw={240}
                inputMode="numeric"
                {...form.getInputProps("vatNumber")}
              />
              <Textarea
                label={fieldLabels.address}
                mt="sm"
                autosize
                minRows={3}
                maxLength={400}
                {...form.getInputProps("address")}
              />
            </Fieldset>
            <LogoFieldset logo={logo} />
            <Fieldset legend="Bank account">
              <Text size="sm" c="dimmed" mb="xs">
                Shown on invoices under "How to pay". Invoices cannot be sent without it.
              </Text>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <TextInput label={fieldLabels.bank} maxLength={60} {...form.getInputProps("bank")} />
                <TextInput label={fieldLabels.accountHolder} maxLength={100} {...form.getInputProps("accountHolder")} />
                <TextInput
                  label={fieldLabels.accountNumber}
                  inputMode="numeric"
                  {...form.getInputProps("accountNumber")}
                />
                <TextInput label={fieldLabels.branchCode} inputMode="numeric" {...form.getInputProps("branchCode")} />
              </SimpleGrid>
            </Fieldset>
            <Fieldset legend="Dates">
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <SettingInputs form={form} keys={dateKeys} special={{ dateFormat: { data: formats } }} />
              </SimpleGrid>
              <Stack gap="md" mt="md">
                <SettingInputs form={form} keys={holidayKeys} />
              </Stack>
            </Fieldset>
            <Fieldset legend="Money">
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <SettingInputs
                  form={form}
                  keys={moneyKeys}
                  special={{
                    currency: recordsAmounts
                      ? { disabled: true, description: "Cannot be changed: amounts are recorded in this currency" }
                      : {},
                  }}
                />
              </SimpleGrid>
              <Stack gap="md" mt="md">
                <SettingInputs form={form} keys={automationKeys} />
              </Stack>
            </Fieldset>
            <Fieldset legend="Payments">
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <SettingInputs form={form} keys={paymentKeys} />
              </SimpleGrid>
            </Fieldset>
            <Fieldset legend="Claims">
              <Text size="sm" c="dimmed" mb="xs">
                Time to decide: working days from complete documents to the decision. Claims already submitted keep
                their promise.
              </Text>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <SettingInputs form={form} keys={promiseKeys} />
                <SettingInputs form={form} keys={claimKeys} />
              </SimpleGrid>
              <Stack gap="md" mt="md">
                <SettingInputs form={form} keys={ombudKeys} />
              </Stack>
            </Fieldset>
          </>
        )}
      </SettingsForm>
      <ChildCoverCaps />
      <BankAccounts />
    </>
  )
}
