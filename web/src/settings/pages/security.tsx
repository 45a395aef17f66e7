import { Fieldset, NumberInput, Radio, Stack, Switch } from "@mantine/core"
import type { Settings } from "@milkwood/domain/settings/settings"
import { passwordPolicies, policyHints } from "@milkwood/domain/users/password-policies"
import { createFileRoute } from "@tanstack/react-router"
import { SettingsForm } from "../settings-form.tsx"

export const Route = createFileRoute("/_app/settings/security")({ component: SecuritySettings })

interface Values {
  userRegistration: boolean
  passwordPolicy: Settings["passwordPolicy"]
  sessionTimeoutMinutes: number | string
}

const labels = {
  userRegistration: "User registration",
  passwordPolicy: "Password policy",
  sessionTimeoutMinutes: "Session timeout (minutes)",
}

const words = { basic: "Basic", medium: "Medium", strong: "Strong" }

/** Settings, Security: who may sign up, with what password, and how long a session waits. */
function SecuritySettings() {
  return (
    <SettingsForm<Values>
      valuesOf={({ userRegistration, passwordPolicy, sessionTimeoutMinutes }) => ({
        userRegistration,
        passwordPolicy,
        sessionTimeoutMinutes,
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
        </>
      )}
    </SettingsForm>
  )
}
