import { Button, Group, Paper, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import {
  fillMail,
  type MailTemplate,
  type MailText,
  missingFieldMessage,
  missingFields,
  samplesOf,
  unknownFieldMessage,
  unknownFields,
} from "@milkwood/domain/platform/mail-template"
import { type MailTemplateName, mailTemplates } from "@milkwood/domain/settings/mail-templates"
import type { SettingsDetail } from "@milkwood/domain/settings/settings.contract"
import { useState } from "react"
import { client } from "../platform/api.ts"
import { useDisplay } from "../ui/display.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { Verbatim } from "../ui/verbatim.tsx"
import { MergeNotice } from "./merge-notice.tsx"
import { useOutboxCommands, useSettingsCommands } from "./settings.api.ts"
import { TestMailDialog } from "./test-mail-dialog.tsx"
import { useMerge } from "./use-merge.ts"

interface TemplateDialogProps {
  name: MailTemplateName
  detail: SettingsDetail
  onClose: () => void
}

export function TemplateDialog({ name, detail, onClose }: TemplateDialogProps) {
  const { currency } = useDisplay()
  const template: MailTemplate = mailTemplates[name]
  const valuesOf = ({ settings }: SettingsDetail): MailText => ({ ...settings[name] })
  const form = useForm<MailText>({
    initialValues: valuesOf(detail),
    validate: {
      subject: (subject) => textProblemOf(template, "Enter a subject", subject),
      text: (text) => textProblemOf(template, "Enter the text", text) ?? missingFieldProblemOf(template, text),
    },
  })
  const { base = detail, version, merge, keep } = useMerge(form, detail, valuesOf, () => client.settings.detail())
  const { save } = useSettingsCommands()
  const { sendTemplate } = useOutboxCommands()
  const [testing, setTesting] = useState(false)
  const mail = form.getValues()
  const preview = fillMail(mail, samplesOf(template, currency))
  return (
    <>
      <FormDialog
        opened
        onClose={onClose}
        title={template.label}
        words={`${template.when}.`}
        size={1000}
        submit="Save"
        form={form}
        save={(words) => save.mutateAsync({ version, settings: { ...base.settings, [name]: words } }).catch(keep)}
      >
        <MergeNotice merge={merge} form={form} labels={{ subject: "Subject", text: "Text" }} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <Stack gap="sm">
            <TextInput label="Subject" required maxLength={200} {...form.getInputProps("subject")} />
            <Textarea
              label="Text"
              required
              autosize
              minRows={10}
              maxRows={18}
              maxLength={5000}
              {...form.getInputProps("text")}
            />
          </Stack>
          <Stack gap={4}>
            <Text size="sm" fw={500} id="preview">
              Preview
            </Text>
            <Text size="xs" c="dimmed">
              The preview uses example names, numbers and amounts.
            </Text>
            <Paper withBorder p="sm" aria-labelledby="preview" component="section">
              <Text size="sm" fw={600} mb="xs" style={{ overflowWrap: "anywhere" }}>
                {preview.subject}
              </Text>
              <Text size="sm" component="div" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
                {preview.text}
              </Text>
            </Paper>
          </Stack>
        </SimpleGrid>
        <details>
          <summary>Placeholders</summary>
          <Stack gap={2} mt="xs">
            {Object.entries(template.fields).map(([field, { words }]) => (
              <Text key={field} size="sm">
                <Verbatim>{`{${field}}`}</Verbatim> {words}
                {template.required.includes(field) && " (must be in the text)"}
              </Text>
            ))}
          </Stack>
        </details>
        <Group gap="xs">
          <Button variant="default" onClick={() => form.validate().hasErrors || setTesting(true)}>
            Send test e-mail
          </Button>
          <Button
            variant="default"
            disabled={isSameText(mail, template.initial)}
            onClick={() => form.setValues(template.initial)}
          >
            Restore the default
          </Button>
        </Group>
      </FormDialog>
      {testing && (
        <TestMailDialog
          onClose={() => setTesting(false)}
          words="The e-mail is sent as edited here, with the values of the preview. Nothing is saved."
          send={(to) => sendTemplate.mutateAsync({ to, template: name, mail })}
        />
      )}
    </>
  )
}

const textProblemOf = ({ fields }: MailTemplate, missing: string, text: string): string | null => {
  if (text.trim() === "") return missing
  const [unknown] = unknownFields(fields, text)
  return unknown === undefined ? null : unknownFieldMessage(unknown)
}

const missingFieldProblemOf = (template: MailTemplate, text: string): string | null => {
  const [missing] = missingFields(template, text)
  return missing === undefined ? null : missingFieldMessage(missing)
}

export const isSameText = (one: MailText, other: MailText): boolean =>
  one.subject === other.subject && one.text === other.text
