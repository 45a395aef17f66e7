import { Fieldset, SimpleGrid } from "@mantine/core"
import { createFileRoute } from "@tanstack/react-router"
import { useDisplay } from "../../ui/display.tsx"
import { createSettingForm, SettingInputs } from "../declared-settings.tsx"
import { SettingsForm } from "../settings-form.tsx"

export const Route = createFileRoute("/_app/settings/notifications")({ component: NotificationSettings })

const keysBySection = {
  Premiums: ["premiumReminders", "premiumReminderDay", "outstandingAlerts", "outstandingAlertDay"],
  Policies: ["policyExpiryWarnings", "policyExpiryDays"],
  Reports: ["attachReportsOutside", "keepReportsDays"],
} as const
const notificationSettingKeys = Object.values(keysBySection).flat()

function NotificationSettings() {
  const { currency } = useDisplay()
  return (
    <SettingsForm {...createSettingForm(notificationSettingKeys, currency)}>
      {(form) =>
        Object.entries(keysBySection).map(([legend, names]) => (
          <Fieldset key={legend} legend={legend}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg" verticalSpacing="lg">
              <SettingInputs form={form} keys={names} />
            </SimpleGrid>
          </Fieldset>
        ))
      }
    </SettingsForm>
  )
}
