import { Fieldset, Stack } from "@mantine/core"
import { createFileRoute } from "@tanstack/react-router"
import { LetterTemplates } from "../../letters/letter-templates.tsx"
import { DocumentTypes } from "../../policies/document-types.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { createSettingForm, SettingInputs } from "../declared-settings.tsx"
import { RequiredClaimDocuments } from "../required-claim-documents.tsx"
import { SettingsForm } from "../settings-form.tsx"

export const Route = createFileRoute("/_app/settings/documents")({ component: DocumentSettings })

const documentSettingKeys = ["maxFileMegabytes", "allowedFileTypes"] as const

function DocumentSettings() {
  const { currency } = useDisplay()
  return (
    <>
      <SettingsForm {...createSettingForm(documentSettingKeys, currency)}>
        {(form) => (
          <Fieldset legend="Files">
            <Stack gap="md">
              <SettingInputs
                form={form}
                keys={documentSettingKeys}
                special={{ allowedFileTypes: { withAsterisk: true } }}
              />
            </Stack>
          </Fieldset>
        )}
      </SettingsForm>
      <RequiredClaimDocuments />
      <LetterTemplates />
      <DocumentTypes />
    </>
  )
}
