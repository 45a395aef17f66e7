import { Anchor, Fieldset, Stack } from "@mantine/core"
import { createFileRoute, Link } from "@tanstack/react-router"
import { Backups } from "../../backups/backups.tsx"
import { Retention } from "../../privacy/retention.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { declaredForm, SettingInputs } from "../declared-settings.tsx"
import { SettingsForm } from "../settings-form.tsx"

export const Route = createFileRoute("/_app/settings/security")({ component: SecuritySettings })

const parts = {
  "Signing up": ["userRegistration"],
  "Signing in": ["passwordPolicy", "sessionTimeoutMinutes", "secondFactorOf", "secondFactorRoles"],
  "Network access": ["limitAddresses", "allowedAddresses"],
  "Audit trail": ["auditLogging"],
  "Data retention": ["retentionYears", "autoRetention"],
  Backup: ["automaticBackup", "backupFrequency"],
} as const
const keys = Object.values(parts).flat()

function SecuritySettings() {
  const { currency } = useDisplay()
  const declared = declaredForm(keys, currency)
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
          Object.entries(parts).map(([legend, names]) => (
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
