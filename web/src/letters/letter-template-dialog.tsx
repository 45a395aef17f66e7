import { SimpleGrid, Skeleton, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useDebouncedValue } from "@mantine/hooks"
import type { LetterTemplateRow, LetterText } from "@milkwood/domain/letters/letter-shape"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { api, client } from "../platform/api.ts"
import { errorTextOf } from "../platform/errors.ts"
import { MergeNotice } from "../settings/merge-notice.tsx"
import { useMerge } from "../settings/use-merge.ts"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { Verbatim } from "../ui/verbatim.tsx"
import { LetterSheet } from "./letter-sheet.tsx"
import { useLetterTemplateCommands } from "./letters.api.ts"

interface LetterTemplateDialogProps {
  template: LetterTemplateRow
  onClose: () => void
}

const textOf = ({ title, text }: LetterText): LetterText => ({ title, text })

export default function LetterTemplateDialog({ template, onClose }: LetterTemplateDialogProps) {
  const { kind, label, when, fields } = template
  const form = useForm<LetterText>({
    initialValues: textOf(template),
    validate: { title: requireText("Enter a title"), text: requireText("Enter the text") },
  })
  const { version, merge, keep } = useMerge(form, template, textOf, async () => {
    const templates = await client.letters.templates.list()
    return templates.find((each) => each.kind === kind) ?? template
  })
  const { save } = useLetterTemplateCommands()
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={label}
      words={`${when}. Letters that were written before keep their wording.`}
      size={1000}
      submit="Save"
      form={form}
      save={(values) => save.mutateAsync({ kind, version, template: values }).catch((error: unknown) => keep(error))}
    >
      <MergeNotice merge={merge} form={form} labels={{ title: "Title", text: "Text" }} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Stack gap="sm">
          <TextInput label="Title" required maxLength={200} {...form.getInputProps("title")} />
          <Textarea
            label="Text"
            required
            autosize
            minRows={12}
            maxRows={24}
            maxLength={8000}
            {...form.getInputProps("text")}
          />
        </Stack>
        <Stack gap={4}>
          <Text size="sm" fw={500}>
            Preview
          </Text>
          <Text size="xs" c="dimmed">
            The preview uses example names, numbers and amounts.
          </Text>
          <TemplatePreview kind={kind} template={form.values} />
        </Stack>
      </SimpleGrid>
      <details>
        <summary>Placeholders</summary>
        <Stack gap={2} mt="xs">
          {fields.map(({ name, words, isRequired }) => (
            <Text key={name} size="sm">
              <Verbatim>{`{${name}}`}</Verbatim> {words}
              {isRequired && " (must be in the text)"}
            </Text>
          ))}
        </Stack>
      </details>
    </FormDialog>
  )
}

/** The last valid text stays visible below the problem of the present one. */
function TemplatePreview({ kind, template }: Pick<LetterTemplateRow, "kind"> & { template: LetterText }) {
  const [asked] = useDebouncedValue(template, 300)
  const preview = useQuery({
    ...api.letters.templates.preview.queryOptions({ input: { kind, template: asked } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  })
  if (preview.isPending) return <Skeleton h={420} aria-label="Loading preview" />
  return (
    <>
      {preview.isError && <InlineError>{errorTextOf(preview.error)}</InlineError>}
      {preview.data && <LetterSheet label="Preview" wording={preview.data} />}
    </>
  )
}
