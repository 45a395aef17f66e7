import { Checkbox, Select, SimpleGrid, Skeleton, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useDebouncedValue } from "@mantine/hooks"
import { isRecipientLine } from "@milkwood/domain/kernel/email"
import type { RecordLetters } from "@milkwood/domain/letters/letter-shape"
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { api, newKey } from "../platform/api.ts"
import { refusalCodeOf } from "../platform/errors.ts"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { LetterSheet } from "./letter-sheet.tsx"
import { type LetterPlace, useLetterCommands } from "./letters.api.ts"

interface WriteLetterDialogProps {
  place: LetterPlace
  choices: RecordLetters["choices"]
  onClose: () => void
}

type Choice = RecordLetters["choices"][number]

const keyOf = ({ kind, payoutId }: Choice) => `${kind} ${payoutId ?? ""}`

interface LetterForm {
  choice: string | null
  addressee: string
  note: string
  isSent: boolean
  to: string
  subject: string
  text: string
}

const emptyForm: LetterForm = {
  ...{ choice: null, addressee: "", note: "", isSent: false },
  ...{ to: "", subject: "", text: "" },
}

export default function WriteLetterDialog({ place, choices, onClose }: WriteLetterDialogProps) {
  const queryClient = useQueryClient()
  const { create } = useLetterCommands()
  const [idempotencyKey] = useState(newKey)
  const ifSent = (check: (value: string) => string | null) => (value: string, values: LetterForm) =>
    values.isSent ? check(value) : null
  const form = useForm<LetterForm>({
    initialValues: emptyForm,
    validate: {
      choice: requireText("Choose a letter"),
      to: ifSent((to) => (isRecipientLine(to.trim()) ? null : "Enter the recipient's e-mail address")),
      subject: ifSent(requireText("Enter a subject")),
      text: ifSent(requireText("Enter the text")),
    },
  })
  const { values } = form
  const choice = choices.find((one) => keyOf(one) === values.choice)
  const { initial, preview, inputOf, queryOf } = useLetterPreview(place, choice, values)
  const prepared = initial.data
  const [preparedFor, setPreparedFor] = useState<string | null>(null)
  useEffect(() => {
    if (!prepared || preparedFor === values.choice) return
    setPreparedFor(values.choice)
    form.setValues({ addressee: prepared.wording.addressee.join("\n"), ...prepared.mail })
  }, [prepared, preparedFor, values.choice, form.setValues])
  const choose = (chosen: string | null) => {
    // The address of another letter is not this letter's.
    form.setValues({ choice: chosen, addressee: "" })
    form.clearFieldError("choice")
  }
  const save = async (written: LetterForm) => {
    if (!choice) return
    const { to, subject, text, isSent } = written
    const input = inputOf(choice, written)
    const { fingerprint } = await queryClient.fetchQuery(queryOf(input))
    const mail = isSent ? { to, subject, text } : null
    await create.mutateAsync({ ...input, fingerprint, mail, idempotencyKey }).catch(async (error: unknown) => {
      if (refusalCodeOf(error) === "WORDING_CHANGED") {
        await queryClient.invalidateQueries({ queryKey: api.letters.preview.key() })
      }
      throw error
    })
  }
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Write letter"
      words="A saved letter cannot be changed."
      size={1000}
      submit={values.isSent ? "Save and send" : "Save letter"}
      form={form}
      save={save}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Stack gap="sm">
          <Select
            label="Letter"
            required
            placeholder="Choose a letter"
            data={choices.map((one) => ({ value: keyOf(one), label: one.label }))}
            {...form.getInputProps("choice")}
            onChange={choose}
          />
          {prepared && (
            <>
              <Textarea
                label="Addressee"
                description="Name and address, one line each"
                autosize
                minRows={2}
                maxRows={6}
                maxLength={500}
                {...form.getInputProps("addressee")}
              />
              <Textarea
                label="Note"
                description="An extra paragraph in this letter"
                autosize
                minRows={2}
                maxRows={8}
                maxLength={2000}
                {...form.getInputProps("note")}
              />
              <Checkbox label="Send it by e-mail" {...form.getInputProps("isSent", { type: "checkbox" })} />
              {values.isSent && (
                <>
                  <TextInput label="To" required type="email" maxLength={200} {...form.getInputProps("to")} />
                  <TextInput label="Subject" required maxLength={200} {...form.getInputProps("subject")} />
                  <Textarea
                    label="Text"
                    description="The letter is attached as PDF"
                    required
                    autosize
                    minRows={4}
                    maxRows={12}
                    maxLength={5000}
                    {...form.getInputProps("text")}
                  />
                </>
              )}
            </>
          )}
        </Stack>
        <div>
          {!choice ? (
            <Text c="dimmed" size="sm">
              The letter is shown here before it is saved.
            </Text>
          ) : preview.data ? (
            <LetterSheet label="Preview" wording={preview.data.wording} on={preview.data.on} />
          ) : preview.isError ? (
            <LoadFailed
              title="Failed to load the preview"
              error={preview.error}
              onRetry={preview.refetch}
              busy={preview.isFetching}
            />
          ) : (
            <Skeleton h={420} aria-label="Loading preview" />
          )}
        </div>
      </SimpleGrid>
    </FormDialog>
  )
}

/** `initial` is the letter before the user's changes, `preview` the letter with them. */
function useLetterPreview({ recordId }: LetterPlace, choice: Choice | undefined, values: LetterForm) {
  const queryOf = (input: Parameters<typeof api.letters.preview.queryOptions>[0]["input"] & object) => ({
    ...api.letters.preview.queryOptions({ input }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const plain = ({ kind, payoutId }: Choice) => ({ kind, payoutId, recordId, addressee: "", note: "" })
  const unwritten = { kind: "claim_received" as const, recordId }
  const initial = useQuery({ ...queryOf(choice ? plain(choice) : unwritten), enabled: choice !== undefined })
  const inputOf = (chosen: Choice, { addressee, note }: Pick<LetterForm, "addressee" | "note">) => ({
    ...plain(chosen),
    note,
    addressee: addressee === initial.data?.wording.addressee.join("\n") ? "" : addressee,
  })
  const [typed] = useDebouncedValue(values, 300)
  const isReady = initial.data !== undefined && typed.choice === values.choice
  const written = useQuery({
    ...queryOf(choice ? inputOf(choice, typed) : unwritten),
    enabled: isReady,
    placeholderData: keepPreviousData,
  })
  return { initial, preview: isReady ? written : initial, inputOf, queryOf }
}
