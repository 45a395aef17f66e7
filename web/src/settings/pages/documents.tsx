import { Checkbox, Fieldset, Group, NumberInput } from "@mantine/core"
import { type FileType, fileTypes, largestMegabytes } from "@milkwood/domain/platform/documents"
import { createFileRoute } from "@tanstack/react-router"
import { DocumentTypes } from "../../policies/document-types.tsx"
import { SettingsForm } from "../settings-form.tsx"

export const Route = createFileRoute("/_app/settings/documents")({ component: DocumentSettings })

interface Values {
  maxFileMegabytes: number | string
  allowedFileTypes: FileType[]
}

const labels = {
  maxFileMegabytes: "Maximum file size (MB)",
  allowedFileTypes: "Allowed file types",
}

/** Settings, Documents: what files are taken, and which papers policies need. */
function DocumentSettings() {
  return (
    <>
      <SettingsForm<Values>
        valuesOf={({ maxFileMegabytes, allowedFileTypes }) => ({ maxFileMegabytes, allowedFileTypes })}
        into={(settings, values) => ({ ...settings, ...values, maxFileMegabytes: Number(values.maxFileMegabytes) })}
        labels={labels}
        show={(_field, value) => (Array.isArray(value) ? value.join(", ") : String(value))}
        rename={Object.fromEntries(Object.keys(labels).map((name) => [`settings.${name}`, name]))}
        validate={{
          maxFileMegabytes: (value) =>
            Number.isInteger(value) && Number(value) >= 1 && Number(value) <= largestMegabytes
              ? null
              : `Give whole megabytes from 1 to ${largestMegabytes}`,
          allowedFileTypes: (types) => (types.length === 0 ? "Allow at least one type of file" : null),
        }}
      >
        {(form) => (
          <Fieldset legend="Files">
            <NumberInput
              label={labels.maxFileMegabytes}
              description="For documents of claims and policies, and for imported staff lists and remittance lists"
              min={1}
              max={largestMegabytes}
              allowDecimal={false}
              maw={320}
              required
              {...form.getInputProps("maxFileMegabytes")}
            />
            <Checkbox.Group
              mt="md"
              label={labels.allowedFileTypes}
              description="For the same files; a list may always be CSV. PDFs and pictures are shown on the page, other files are downloaded. Files uploaded earlier are kept"
              withAsterisk
              styles={{ error: { marginTop: 6 } }}
              {...form.getInputProps("allowedFileTypes")}
            >
              <Group gap="md" my="xs">
                {fileTypes.map((type) => (
                  <Checkbox key={type} value={type} label={type} />
                ))}
              </Group>
            </Checkbox.Group>
          </Fieldset>
        )}
      </SettingsForm>
      <DocumentTypes />
    </>
  )
}
