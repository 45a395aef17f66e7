import { Anchor, Checkbox, Fieldset, NumberInput, Radio, Select, Stack, Switch, Textarea } from "@mantine/core"
import { type BackupFrequency, backupFrequencies } from "@milkwood/domain/backups/backup"
import { type Role, roles } from "@milkwood/domain/platform/permission"
import { fewestYears, mostYears } from "@milkwood/domain/privacy/retention"
import type { Settings } from "@milkwood/domain/settings/settings"
import { passwordPolicies, policyHints } from "@milkwood/domain/users/password-policies"
import { requirements } from "@milkwood/domain/users/second-factor"
import { roleNames } from "@milkwood/domain/users/user"
import { createFileRoute, Link } from "@tanstack/react-router"
import { Backups } from "../../backups/backups.tsx"
import { Retention } from "../../privacy/retention.tsx"
import { SettingsForm } from "../settings-form.tsx"

export const Route = createFileRoute("/_app/settings/security")({ component: SecuritySettings })

interface Values {
  userRegistration: boolean
  passwordPolicy: Settings["passwordPolicy"]
  sessionTimeoutMinutes: number | string
  secondFactorOf: Settings["secondFactorOf"]
  secondFactorRoles: Settings["secondFactorRoles"]
  limitAddresses: boolean
  allowedAddresses: string
  auditLogging: boolean
  automaticBackup: boolean
  backupFrequency: BackupFrequency
  retentionYears: number | string
  retentionByItself: boolean
}

const labels = {
  userRegistration: "User registration",
  passwordPolicy: "Password policy",
  sessionTimeoutMinutes: "Session timeout (minutes)",
  secondFactorOf: "Two-factor authentication",
  secondFactorRoles: "Roles that need a second factor",
  limitAddresses: "IP whitelisting",
  allowedAddresses: "Addresses and networks",
  auditLogging: "Audit logging",
  automaticBackup: "Automatic backup",
  backupFrequency: "Backup frequency",
  retentionYears: "Data retention (years)",
  retentionByItself: "Remove automatically",
}

const requirementNames = {
  nobody: ["Off", "Optional: people can set one up in their profile"],
  everybody: ["Required for everybody", "Those without one set it up at their next sign-in, before anything else"],
  roles: ["Required for chosen roles", "The same, for the roles below"],
} as const

const shown = (field: keyof Values, value: unknown): string => {
  if (typeof value === "boolean") return value ? "on" : "off"
  if (field === "secondFactorOf") return requirementNames[value as Values["secondFactorOf"]][0]
  if (Array.isArray(value)) return value.map((role: Role) => roleNames[role]).join(", ") || "none"
  return String(value) || "none"
}

const frequencies = { hourly: "Hourly", daily: "Daily, at 03:00", weekly: "Weekly, on Sunday at 03:00" }

const words = { basic: "Basic", medium: "Medium", strong: "Strong" }

const linesOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

/** The server names each address of the list by its place; the form has one field for them. */
const rename = {
  ...Object.fromEntries(Object.keys(labels).map((name) => [`settings.${name}`, name])),
  ...Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`settings.allowedAddresses.${at}`, "allowedAddresses"]),
  ),
}

/** Settings, Security: who may sign up, how people sign in and from where, how long a session waits, and the backups. */
function SecuritySettings() {
  return (
    <>
      <SettingsForm<Values>
        valuesOf={(settings) => ({
          userRegistration: settings.userRegistration,
          passwordPolicy: settings.passwordPolicy,
          sessionTimeoutMinutes: settings.sessionTimeoutMinutes,
          secondFactorOf: settings.secondFactorOf,
          secondFactorRoles: settings.secondFactorRoles,
          limitAddresses: settings.limitAddresses,
          allowedAddresses: settings.allowedAddresses.join("\n"),
          auditLogging: settings.auditLogging,
          automaticBackup: settings.automaticBackup,
          backupFrequency: settings.backupFrequency,
          retentionYears: settings.retentionYears,
          retentionByItself: settings.retentionByItself,
        })}
        into={(settings, values) => ({
          ...settings,
          ...values,
          sessionTimeoutMinutes: Number(values.sessionTimeoutMinutes),
          retentionYears: Number(values.retentionYears),
          allowedAddresses: linesOf(values.allowedAddresses),
        })}
        labels={labels}
        show={shown}
        rename={rename}
        validate={{
          secondFactorRoles: (roles, { secondFactorOf }) =>
            secondFactorOf === "roles" && roles.length === 0 ? "Choose at least one role" : null,
          retentionYears: (value) =>
            typeof value === "number" && value >= fewestYears && value <= mostYears
              ? null
              : `Give a number of years from ${fewestYears} to ${mostYears}`,
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
                <Radio.Group
                  label={labels.secondFactorOf}
                  description="A code from an app on the phone, after the password"
                  {...form.getInputProps("secondFactorOf")}
                >
                  <Stack gap="xs" my="xs">
                    {requirements.map((of) => (
                      <Radio
                        key={of}
                        value={of}
                        label={requirementNames[of][0]}
                        description={requirementNames[of][1]}
                      />
                    ))}
                  </Stack>
                </Radio.Group>
                {form.values.secondFactorOf === "roles" && (
                  <Checkbox.Group label={labels.secondFactorRoles} {...form.getInputProps("secondFactorRoles")}>
                    <Stack gap="xs" mt="xs">
                      {roles.map((role) => (
                        <Checkbox key={role} value={role} label={roleNames[role]} />
                      ))}
                    </Stack>
                  </Checkbox.Group>
                )}
              </Stack>
            </Fieldset>
            <Fieldset legend="Network access">
              <Stack gap="md">
                <Switch
                  label={labels.limitAddresses}
                  description="Administrators, managers and underwriters sign in and work only from the addresses below; employers' people from anywhere"
                  {...form.getInputProps("limitAddresses", { type: "checkbox" })}
                />
                <Textarea
                  label={labels.allowedAddresses}
                  description="One per line, such as 41.13.0.5, 196.25.0.0/16 or 2001:db8::/32"
                  autosize
                  minRows={3}
                  maxRows={12}
                  spellCheck={false}
                  disabled={!form.values.limitAddresses}
                  {...form.getInputProps("allowedAddresses")}
                />
              </Stack>
            </Fieldset>
            <Fieldset legend="Audit trail">
              <Switch
                label={labels.auditLogging}
                description="Also records who viewed which record. Changes, and views of medical documents, are always recorded"
                {...form.getInputProps("auditLogging", { type: "checkbox" })}
              />
              <Anchor component={Link} to="/settings/audit" size="sm" mt="sm" display="inline-block">
                Open the audit trail
              </Anchor>
            </Fieldset>
            <Fieldset legend="Data retention">
              <NumberInput
                label={labels.retentionYears}
                description="People whose membership ended that long ago and who have nothing open are made anonymous; mails and documents that old are deleted. Amounts stay, without names"
                min={fewestYears}
                max={mostYears}
                allowDecimal={false}
                maw={360}
                required
                {...form.getInputProps("retentionYears")}
              />
              <Switch
                mt="md"
                label={labels.retentionByItself}
                description="A week after it was first listed below; when off, an administrator confirms it once a year"
                {...form.getInputProps("retentionByItself", { type: "checkbox" })}
              />
            </Fieldset>
            <Fieldset legend="Backup">
              <Switch
                label={labels.automaticBackup}
                description="Backups are made automatically, once there is a key (below)"
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
      <Retention />
      <Backups />
    </>
  )
}
