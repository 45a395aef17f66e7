import { Button, Fieldset, NumberInput, PasswordInput, Select, SimpleGrid, TextInput } from "@mantine/core"
import { type MailServer, mailEncryptionNames, mailEncryptions } from "@milkwood/domain/platform/mail-server"
import type { SettingsDetail } from "@milkwood/domain/settings/settings.contract"
import { IconSend } from "@tabler/icons-react"
import { useState } from "react"
import { InlineError } from "../ui/inline-error.tsx"
import { useOutboxCommands } from "./settings.api.ts"
import { SettingsForm } from "./settings-form.tsx"
import { TestMailDialog } from "./test-mail-dialog.tsx"

type Values = Omit<MailServer, "port"> & { port: number | string; password: string }

const fieldLabels: Record<keyof Values, string> = {
  host: "SMTP host",
  port: "SMTP port",
  encryption: "Encryption",
  user: "User",
  password: "Password",
  sender: "Sender",
}

const formFieldByPath = {
  ...Object.fromEntries(Object.keys(fieldLabels).map((name) => [`settings.mailServer.${name}`, name])),
  mailPassword: "password",
}

const deliveryTexts: Record<SettingsDetail["mailDelivery"], string | null> = {
  environment:
    "SMTP_URL is set on the server and defines the mail server. The settings here apply after it is removed.",
  off: "SMTP_URL is set to off on the server: e-mails stay in the outbox, regardless of the settings here.",
  outbox: "E-mails stay in the outbox and are not delivered until you set up a mail server here.",
  settings: null,
}

export default function MailServerSettings() {
  const [testing, setTesting] = useState(false)
  const { sendTest } = useOutboxCommands()
  return (
    <>
      <SettingsForm<Values>
        valuesOf={({ mailServer }) => ({ ...mailServer, password: "" })}
        into={(settings, { password: _, ...values }) => ({
          ...settings,
          mailServer: { ...values, port: Number(values.port) },
        })}
        secretsOf={({ password }) => (password === "" ? {} : { mailPassword: password })}
        labels={fieldLabels}
        rename={formFieldByPath}
        validate={{
          port: (value) =>
            Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535
              ? null
              : "Enter a port from 1 to 65535",
        }}
      >
        {(form, { mailDelivery, hasMailPassword }) => (
          <>
            {deliveryTexts[mailDelivery] && <InlineError tone="warning">{deliveryTexts[mailDelivery]}</InlineError>}
            <Fieldset legend="Mail server">
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <TextInput
                  label={fieldLabels.host}
                  description="Host name or address, such as smtp.example.co.za"
                  {...form.getInputProps("host")}
                />
                <NumberInput
                  label={fieldLabels.port}
                  description="587 with STARTTLS, 465 with TLS"
                  min={1}
                  max={65_535}
                  allowDecimal={false}
                  thousandSeparator=""
                  {...form.getInputProps("port")}
                />
                <Select
                  label={fieldLabels.encryption}
                  description="The server's certificate is checked"
                  allowDeselect={false}
                  data={mailEncryptions.map((value) => ({ value, label: mailEncryptionNames[value] }))}
                  {...form.getInputProps("encryption")}
                />
                <TextInput
                  label={fieldLabels.sender}
                  description="Sender address of all e-mails; if empty, the user is the sender"
                  inputMode="email"
                  {...form.getInputProps("sender")}
                />
                <TextInput
                  label={fieldLabels.user}
                  description="Leave empty if the server needs no sign-in"
                  autoComplete="off"
                  {...form.getInputProps("user")}
                />
                <PasswordInput
                  label={fieldLabels.password}
                  description={
                    hasMailPassword
                      ? "A password is stored encrypted. Enter a new one only to change it"
                      : "Stored encrypted and never shown again"
                  }
                  autoComplete="new-password"
                  disabled={form.values.user === ""}
                  {...form.getInputProps("password")}
                />
              </SimpleGrid>
              <Button
                mt="md"
                variant="default"
                leftSection={<IconSend size={14} />}
                disabled={form.isDirty()}
                onClick={() => setTesting(true)}
              >
                Send test e-mail
              </Button>
            </Fieldset>
          </>
        )}
      </SettingsForm>
      {testing && (
        <TestMailDialog
          onClose={() => setTesting(false)}
          words="The e-mail is sent immediately with the saved settings. You see the mail server's response."
          send={(to) => sendTest.mutateAsync({ to })}
        />
      )}
    </>
  )
}
