import { Fieldset, Group, NumberInput, SimpleGrid, Switch } from "@mantine/core"
import type { Settings } from "@milkwood/domain/settings/settings"
import { createFileRoute } from "@tanstack/react-router"
import { SettingsForm } from "../settings-form.tsx"

export const Route = createFileRoute("/_app/settings/notifications")({ component: NotificationSettings })

type Keys =
  | "premiumReminders"
  | "premiumReminderDay"
  | "outstandingAlerts"
  | "outstandingAlertDay"
  | "policyExpiryWarnings"
  | "policyExpiryDays"
  | "attachReportsOutside"
  | "keepReportsDays"
type Values = Pick<
  Settings,
  "premiumReminders" | "outstandingAlerts" | "policyExpiryWarnings" | "attachReportsOutside"
> & {
  policyExpiryDays: number | string
  premiumReminderDay: number | string
  outstandingAlertDay: number | string
  keepReportsDays: number | string
}

const valuesOf = (settings: Settings): Values => ({
  premiumReminders: settings.premiumReminders,
  premiumReminderDay: settings.premiumReminderDay,
  outstandingAlerts: settings.outstandingAlerts,
  outstandingAlertDay: settings.outstandingAlertDay,
  policyExpiryWarnings: settings.policyExpiryWarnings,
  policyExpiryDays: settings.policyExpiryDays,
  attachReportsOutside: settings.attachReportsOutside,
  keepReportsDays: settings.keepReportsDays,
})

const into = (settings: Settings, values: Values): Settings => ({
  ...settings,
  ...values,
  premiumReminderDay: Number(values.premiumReminderDay),
  outstandingAlertDay: Number(values.outstandingAlertDay),
  policyExpiryDays: Number(values.policyExpiryDays),
  keepReportsDays: Number(values.keepReportsDays),
})

const labels: Record<Keys, string> = {
  premiumReminders: "Premium reminders",
  premiumReminderDay: "Reminder day",
  outstandingAlerts: "Outstanding premium alerts",
  outstandingAlertDay: "Alert after day",
  policyExpiryWarnings: "Policy expiry warnings",
  policyExpiryDays: "Days before the end date",
  attachReportsOutside: "Attach reports for outside recipients",
  keepReportsDays: "Keep generated reports (days)",
}
const rename = Object.fromEntries(Object.keys(labels).map((name) => [`settings.${name}`, name]))

const aDay = (value: number | string) =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 28 ? null : "A day of the month, from 1 to 28"

const expiryDays = (value: number | string) =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 180 ? null : "From 1 to 180 days"

const days = (value: number | string) =>
  Number.isInteger(value) && Number(value) >= 30 && Number(value) <= 3_650 ? null : "From 30 to 3 650 days"

/** Settings, Notifications: what goes out by itself. */
function NotificationSettings() {
  return (
    <SettingsForm<Values>
      valuesOf={valuesOf}
      into={into}
      labels={labels}
      rename={rename}
      validate={{
        premiumReminderDay: aDay,
        outstandingAlertDay: aDay,
        policyExpiryDays: expiryDays,
        keepReportsDays: days,
      }}
      show={(_, value) => (value === true ? "On" : value === false ? "Off" : String(value))}
    >
      {(form) => (
        <>
          <Fieldset legend="Premiums">
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg" verticalSpacing="lg">
              <Group align="flex-start">
                <Switch
                  label={labels.premiumReminders}
                  description="Sent once a month, with a statement, to every policy that owes, except where payment was promised or the amount is disputed"
                  {...form.getInputProps("premiumReminders", { type: "checkbox" })}
                />
              </Group>
              <NumberInput
                label={labels.premiumReminderDay}
                description="Day of the month, 1 to 28"
                min={1}
                max={28}
                maw={160}
                {...form.getInputProps("premiumReminderDay")}
              />
              <Group align="flex-start">
                <Switch
                  label={labels.outstandingAlerts}
                  description="Sent once a month to managers: what is overdue"
                  {...form.getInputProps("outstandingAlerts", { type: "checkbox" })}
                />
              </Group>
              <NumberInput
                label={labels.outstandingAlertDay}
                description="Alerts are sent on the day after this one"
                min={1}
                max={28}
                maw={160}
                {...form.getInputProps("outstandingAlertDay")}
              />
            </SimpleGrid>
          </Fieldset>
          <Fieldset legend="Policies" mt="md">
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg" verticalSpacing="lg">
              <Group align="flex-start">
                <Switch
                  label={labels.policyExpiryWarnings}
                  description="Mailed once to the contact of a policy that is ending; managers and the employer's people are notified"
                  {...form.getInputProps("policyExpiryWarnings", { type: "checkbox" })}
                />
              </Group>
              <NumberInput
                label={labels.policyExpiryDays}
                description="1 to 180; a missed day is made up for"
                min={1}
                max={180}
                maw={200}
                {...form.getInputProps("policyExpiryDays")}
              />
            </SimpleGrid>
          </Fieldset>
          <Fieldset legend="Reports" mt="md">
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg" verticalSpacing="lg">
              <Group align="flex-start">
                <Switch
                  label={labels.attachReportsOutside}
                  description="Scheduled reports also go as attachments to recipients without an account here; never those that may hold medical details"
                  {...form.getInputProps("attachReportsOutside", { type: "checkbox" })}
                />
              </Group>
              <NumberInput
                label={labels.keepReportsDays}
                description="Their files are then deleted; the record that they were made is kept"
                min={30}
                max={3_650}
                maw={200}
                {...form.getInputProps("keepReportsDays")}
              />
            </SimpleGrid>
          </Fieldset>
        </>
      )}
    </SettingsForm>
  )
}
