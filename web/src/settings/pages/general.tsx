import { Fieldset, NumberInput, Select, SimpleGrid, Switch, Text, Textarea, TextInput } from "@mantine/core"
import { dayFormats, formatDay } from "@milkwood/domain/kernel/calendar"
import { currencies, currencySigns, formatMoney } from "@milkwood/domain/kernel/money"
import { timezones } from "@milkwood/domain/platform/platform-settings"
import type { Settings } from "@milkwood/domain/settings/settings"
import { createFileRoute } from "@tanstack/react-router"
import { BankAccounts } from "../../banking/bank-accounts.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { required } from "../../ui/form.ts"
import { MoneyInput, notAnAmount } from "../../ui/money-input.tsx"
import { LogoFieldset } from "../logo-fieldset.tsx"
import { SettingsForm } from "../settings-form.tsx"

export const Route = createFileRoute("/_app/settings/")({ component: GeneralSettings })

interface Values {
  name: string
  vatNumber: string
  address: string
  bank: string
  accountHolder: string
  accountNumber: string
  branchCode: string
  timezone: Settings["timezone"]
  dateFormat: Settings["dateFormat"]
  currency: Settings["currency"]
  defaultMemberPremiumCents: number | null
  releaseLimitCents: number | null
  batchLimitCents: number | null
  proofAboveCents: number | null
  payeeWaitHours: number | string
  bankCutOff: string
  premiumGraceDays: number | string
  writeOffLimitCents: number | null
  creditByItself: boolean
  matchByItself: boolean
  matchByItselfUpToCents: number | null
}

const valuesOf = ({ organisation, ...settings }: Settings): Values => ({
  name: organisation.name,
  vatNumber: organisation.vatNumber,
  address: organisation.address,
  ...organisation.bankAccount,
  timezone: settings.timezone,
  dateFormat: settings.dateFormat,
  currency: settings.currency,
  defaultMemberPremiumCents: settings.defaultMemberPremiumCents,
  releaseLimitCents: settings.releaseLimitCents,
  batchLimitCents: settings.batchLimitCents,
  proofAboveCents: settings.proofAboveCents,
  payeeWaitHours: settings.payeeWaitHours,
  bankCutOff: settings.bankCutOff,
  premiumGraceDays: settings.premiumGraceDays,
  writeOffLimitCents: settings.writeOffLimitCents,
  creditByItself: settings.creditByItself,
  matchByItself: settings.matchByItself,
  matchByItselfUpToCents: settings.matchByItselfUpToCents,
})

const into = (settings: Settings, values: Values): Settings => ({
  ...settings,
  organisation: {
    name: values.name,
    vatNumber: values.vatNumber,
    address: values.address,
    bankAccount: {
      bank: values.bank,
      accountHolder: values.accountHolder,
      accountNumber: values.accountNumber,
      branchCode: values.branchCode,
    },
  },
  timezone: values.timezone,
  dateFormat: values.dateFormat,
  currency: values.currency,
  defaultMemberPremiumCents: values.defaultMemberPremiumCents ?? 0,
  releaseLimitCents: values.releaseLimitCents ?? 0,
  batchLimitCents: values.batchLimitCents ?? 0,
  proofAboveCents: values.proofAboveCents ?? 0,
  payeeWaitHours: Number(values.payeeWaitHours),
  bankCutOff: values.bankCutOff,
  premiumGraceDays: Number(values.premiumGraceDays),
  writeOffLimitCents: values.writeOffLimitCents ?? 0,
  creditByItself: values.creditByItself,
  matchByItself: values.matchByItself,
  matchByItselfUpToCents: values.matchByItselfUpToCents ?? 0,
})

const labels: Record<keyof Values, string> = {
  name: "Organisation name",
  vatNumber: "VAT number",
  address: "Address",
  bank: "Bank",
  accountHolder: "Account holder",
  accountNumber: "Account number",
  branchCode: "Branch code",
  timezone: "Timezone",
  dateFormat: "Date format",
  currency: "Currency",
  defaultMemberPremiumCents: "Default member premium",
  releaseLimitCents: "Release limit",
  batchLimitCents: "Largest batch",
  proofAboveCents: "Ask again above",
  payeeWaitHours: "Wait for a changed payee",
  bankCutOff: "Bank's cut-off",
  premiumGraceDays: "Grace period",
  writeOffLimitCents: "Write-off limit",
  creditByItself: "Use credit for new invoices",
  matchByItself: "Match bank lines automatically",
  matchByItselfUpToCents: "Largest amount matched automatically",
}

/** The server names fields by their place in the settings, the form by their own name. */
const rename = Object.fromEntries(
  (Object.keys(labels) as (keyof Values)[]).map((name) => {
    const inBank = ["bank", "accountHolder", "accountNumber", "branchCode"].includes(name)
    const inOrganisation = inBank || ["name", "vatNumber", "address"].includes(name)
    const path = inBank ? `organisation.bankAccount.${name}` : inOrganisation ? `organisation.${name}` : name
    return [`settings.${path}`, name]
  }),
)

/** Settings, General: the organisation, its days, its premium and its limit. */
function GeneralSettings() {
  const { today, currency } = useDisplay()
  return (
    <>
      <SettingsForm<Values>
        valuesOf={valuesOf}
        into={into}
        labels={labels}
        rename={rename}
        validate={{
          name: required("Give the organisation's name"),
          defaultMemberPremiumCents: required(notAnAmount(currency, "350,00")),
          releaseLimitCents: required(notAnAmount(currency, "0,00")),
          batchLimitCents: required(notAnAmount(currency, "0,00")),
          proofAboveCents: required(notAnAmount(currency, "0,00")),
          payeeWaitHours: required("Give whole hours"),
          bankCutOff: required("Give a time, such as 15:00"),
          writeOffLimitCents: required(notAnAmount(currency, "0,00")),
          matchByItselfUpToCents: required(notAnAmount(currency, "0,00")),
          premiumGraceDays: (days) => (Number.isInteger(days) ? null : "Give a number of days"),
        }}
        show={(field, value) =>
          typeof value === "boolean"
            ? value
              ? "On"
              : "Off"
            : field.endsWith("Cents") && typeof value === "number"
              ? formatMoney(value, currency)
              : String(value ?? "") || "–"
        }
      >
        {(form, { recordsAmounts, logo }) => (
          <>
            <Fieldset legend="Organisation">
              <TextInput label={labels.name} required maxLength={120} {...form.getInputProps("name")} />
              <TextInput
                label={labels.vatNumber}
                description="Ten digits; appears on invoices. Needed to charge VAT"
                mt="sm"
                maw={240}
                inputMode="numeric"
                {...form.getInputProps("vatNumber")}
              />
              <Textarea
                label={labels.address}
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
                Invoices name it under "How to pay". They cannot be sent without it.
              </Text>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <TextInput label={labels.bank} maxLength={60} {...form.getInputProps("bank")} />
                <TextInput label={labels.accountHolder} maxLength={100} {...form.getInputProps("accountHolder")} />
              </SimpleGrid>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mt="sm">
                <TextInput label={labels.accountNumber} inputMode="numeric" {...form.getInputProps("accountNumber")} />
                <TextInput label={labels.branchCode} inputMode="numeric" {...form.getInputProps("branchCode")} />
              </SimpleGrid>
            </Fieldset>
            <Fieldset legend="Dates">
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <Select
                  label={labels.timezone}
                  description="Decides when a new day begins"
                  data={[...timezones]}
                  {...form.getInputProps("timezone")}
                />
                <Select
                  label={labels.dateFormat}
                  description="Used wherever a date is shown"
                  data={dayFormats.map((format) => ({
                    value: format,
                    label: today ? `${format} (${formatDay(today, format)})` : format,
                  }))}
                  {...form.getInputProps("dateFormat")}
                />
              </SimpleGrid>
            </Fieldset>
            <Fieldset legend="Money">
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <Select
                  label={labels.currency}
                  description={
                    recordsAmounts
                      ? "Amounts are recorded in it, so it stays"
                      : "Of all amounts, on screens, documents and files; it stays once an amount is recorded"
                  }
                  disabled={recordsAmounts}
                  allowDeselect={false}
                  data={currencies.map((value) => ({ value, label: `${value} (${currencySigns[value]})` }))}
                  {...form.getInputProps("currency")}
                />
                <MoneyInput
                  label={labels.defaultMemberPremiumCents}
                  description="Per member per month; a new policy starts with it"
                  required
                  {...form.getInputProps("defaultMemberPremiumCents")}
                />
                <NumberInput
                  label={labels.premiumGraceDays}
                  description="Days after the due date during which cover continues unpaid"
                  required
                  min={0}
                  max={92}
                  allowDecimal={false}
                  {...form.getInputProps("premiumGraceDays")}
                />
                <MoneyInput
                  label={labels.writeOffLimitCents}
                  description="Up to this amount, one person may write off alone"
                  required
                  {...form.getInputProps("writeOffLimitCents")}
                />
              </SimpleGrid>
              <Switch
                mt="md"
                label={labels.creditByItself}
                description="When an invoice is sent, the policy's credit pays it, the oldest receipt first. Off: it is offered when the invoice is sent"
                {...form.getInputProps("creditByItself", { type: "checkbox" })}
              />
              <Switch
                mt="md"
                label={labels.matchByItself}
                description="After an import: a line with the exact reference and amount of an invoice, or of a payer that people confirmed three times and never declined. Each is marked and can be undone"
                {...form.getInputProps("matchByItself", { type: "checkbox" })}
              />
              <MoneyInput
                mt="md"
                maw={320}
                label={labels.matchByItselfUpToCents}
                description="Lines above this amount wait for a person"
                required
                disabled={!form.values.matchByItself}
                {...form.getInputProps("matchByItselfUpToCents")}
              />
            </Fieldset>
            <Fieldset legend="Payments">
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <MoneyInput
                  label={labels.releaseLimitCents}
                  description="Up to this amount, the person who prepared a payment or a batch may also release it"
                  required
                  {...form.getInputProps("releaseLimitCents")}
                />
                <MoneyInput
                  label={labels.batchLimitCents}
                  description="A batch above this amount cannot be released; 0,00 sets no limit"
                  required
                  {...form.getInputProps("batchLimitCents")}
                />
                <MoneyInput
                  label={labels.proofAboveCents}
                  description="Releasing more than this asks for the password or code again, unless it was given in the last ten minutes"
                  required
                  {...form.getInputProps("proofAboveCents")}
                />
                <NumberInput
                  label={labels.payeeWaitHours}
                  description="Hours before a payment can be released when its payee differs from an earlier payment"
                  required
                  min={0}
                  max={720}
                  allowDecimal={false}
                  {...form.getInputProps("payeeWaitHours")}
                />
                <TextInput
                  label={labels.bankCutOff}
                  description="After this time a batch is paid on the next business day"
                  required
                  placeholder="15:00"
                  {...form.getInputProps("bankCutOff")}
                />
              </SimpleGrid>
            </Fieldset>
          </>
        )}
      </SettingsForm>
      <BankAccounts />
    </>
  )
}
