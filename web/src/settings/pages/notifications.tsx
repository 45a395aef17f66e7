import { Fieldset, SimpleGrid } from "@mantine/core"
import { createFileRoute } from "@tanstack/react-router"
import { useDisplay } from "../../ui/display.tsx"
import { declaredForm, SettingInputs } from "../declared-settings.tsx"
import { SettingsForm } from "../settings-form.tsx"

export const Route = createFileRoute("/_app/settings/notifications")({ component: NotificationSettings })

const parts = {
  Premiums: ["premiumReminders", "premiumReminderDay", "outstandingAlerts", "outstandingAlertDay"],
  Policies: ["policyExpiryWarnings", "policyExpiryDays"],
  Reports: ["attachReportsOutside", "keepReportsDays"],
} as const
const keys = Object.values(parts).flat()

function NotificationSettings() {
  const { currency } = useDisplay()
  return (
    <SettingsForm {...declaredForm(keys, currency)}>
      {(form) =>
        Object.entries(parts).map(([legend, names]) => (
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
