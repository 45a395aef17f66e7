import { Anchor, Fieldset, Stack } from "@mantine/core"
import { createFileRoute, Link } from "@tanstack/react-router"
import { Backups } from "../../backups/backups.tsx"
import { Retention } from "../../privacy/retention.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { createSettingForm, SettingInputs } from "../declared-settings.tsx"
import { SettingsForm } from "../settings-form.tsx"

export const Route = createFileRoute("/_app/settings/security")({ component: SecuritySettings })

const keysBySection = {
  "Signing up": ["userRegistration"],
  "Signing in": ["passwordPolicy", "sessionTimeoutMinutes", "secondFactorOf", "secondFactorRoles"],
  "Network access": ["limitAddresses", "allowedAddresses"],
  "Audit trail": ["auditLogging"],
  "Data retention": ["retentionYears", "autoRetention"],
  Backup: ["automaticBackup", "backupFrequency"],
} as const
const securitySettingKeys = Object.values(keysBySection).flat()

function SecuritySettings() {
  const { currency } = useDisplay()
  const declared = createSettingForm(securitySettingKeys, currency)
  return (
    <>
      <SettingsForm
        {...declared}
        validate={{
          ...declared.validate,
          secondFactorRoles: (roles, { secondFactorOf }) =>
            secondFactorOf === "roles" && roles.length === 0 ? "Choose at least one role" : null,
        }}
      >
        {(form) =>
          Object.entries(keysBySection).map(([legend, names]) => (
            <Fieldset key={legend} legend={legend}>
              <Stack gap="md">
                <SettingInputs
                  form={form}
                  keys={names.filter((name) => name !== "secondFactorRoles" || form.values.secondFactorOf === "roles")}
                />
                {legend === "Audit trail" && (
                  <Anchor component={Link} to="/settings/audit" size="sm">
                    Open the audit trail
                  </Anchor>
                )}
              </Stack>
            </Fieldset>
          ))
        }
      </SettingsForm>
      <Retention />
      <Backups />
    </>
  )
}
