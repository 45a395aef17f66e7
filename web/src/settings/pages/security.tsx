import { Fieldset, NumberInput, Radio, Select, Stack, Switch } from "@mantine/core"
import { type BackupFrequency, backupFrequencies } from "@milkwood/domain/backups/backup"
import type { Settings } from "@milkwood/domain/settings/settings"
import { passwordPolicies, policyHints } from "@milkwood/domain/users/password-policies"
import { createFileRoute } from "@tanstack/react-router"
import { Backups } from "../../backups/backups.tsx"
import { SettingsForm } from "../settings-form.tsx"

export const Route = createFileRoute("/_app/settings/security")({ component: SecuritySettings })

interface Values {
  userRegistration: boolean
  passwordPolicy: Settings["passwordPolicy"]
  sessionTimeoutMinutes: number | string
  automaticBackup: boolean
  backupFrequency: BackupFrequency
}

const labels = {
  userRegistration: "User registration",
  passwordPolicy: "Password policy",
  sessionTimeoutMinutes: "Session timeout (minutes)",
  automaticBackup: "Automatic backup",
  backupFrequency: "Backup frequency",
}

const frequencies = { hourly: "Hourly", daily: "Daily, at 03:00", weekly: "Weekly, on Sunday at 03:00" }

const words = { basic: "Basic", medium: "Medium", strong: "Strong" }

/** Settings, Security: who may sign up, with what password, how long a session waits, and the backups. */
function SecuritySettings() {
  return (
    <>
      <SettingsForm<Values>
        valuesOf={({ userRegistration, passwordPolicy, sessionTimeoutMinutes, automaticBackup, backupFrequency }) => ({
          userRegistration,
          passwordPolicy,
          sessionTimeoutMinutes,
          automaticBackup,
          backupFrequency,
        })}
        into={(settings, values) => ({
          ...settings,
          ...values,
          sessionTimeoutMinutes: Number(values.sessionTimeoutMinutes),
        })}
        labels={labels}
        show={(_field, value) => (typeof value === "boolean" ? (value ? "on" : "off") : String(value))}
        rename={Object.fromEntries(Object.keys(labels).map((name) => [`settings.${name}`, name]))}
        validate={{
          sessionTimeoutMinutes: (value) =>
            typeof value === "number" && value >= 5 && value <= 720 ? null : "Give a number of minutes from 5 to 720",
        }}
      >
        {(form) => (
          <>
            <Fieldset legend="Signing up">
              <Switch
                label={labels.userRegistration}
                description="When it is off, people join by invitation only"
                {...form.getInputProps("userRegistration", { type: "checkbox" })}
              />
            </Fieldset>
            <Fieldset legend="Signing in">
              <Stack gap="md">
                <Radio.Group
                  label={labels.passwordPolicy}
                  description="Applies to every password set from now on"
                  {...form.getInputProps("passwordPolicy")}
                >
                  <Stack gap="xs" my="xs">
                    {passwordPolicies.map((policy) => (
                      <Radio key={policy} value={policy} label={words[policy]} description={policyHints[policy]} />
                    ))}
                  </Stack>
                </Radio.Group>
                <NumberInput
                  label={labels.sessionTimeoutMinutes}
                  description="People are signed out after this long without activity"
                  min={5}
                  max={720}
                  allowDecimal={false}
                  maw={240}
                  required
                  {...form.getInputProps("sessionTimeoutMinutes")}
                />
              </Stack>
            </Fieldset>
            <Fieldset legend="Backup">
              <Switch
                label={labels.automaticBackup}
                description="Backups are made by themselves, once the key below is made"
                {...form.getInputProps("automaticBackup", { type: "checkbox" })}
              />
              <Select
                mt="md"
                maw={320}
                label={labels.backupFrequency}
                allowDeselect={false}
                disabled={!form.values.automaticBackup}
                data={backupFrequencies.map((value) => ({ value, label: frequencies[value] }))}
                {...form.getInputProps("backupFrequency")}
              />
            </Fieldset>
          </>
        )}
      </SettingsForm>
      <Backups />
    </>
  )
}
