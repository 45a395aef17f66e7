import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import type { ProofWay } from "@milkwood/domain/platform/proof"
import { client } from "../platform/api.ts"
import { useEscape } from "../platform/keyboard.ts"
import { useSession } from "../platform/session.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { topZIndex } from "../ui/theme.ts"
import { CodeField, OwnPasswordField } from "./code-field.tsx"
import { useEntranceForm } from "./entrance-form.tsx"

const proofTexts: Record<ProofWay, string> = {
  password: "For your security, confirm your password. You last entered it more than ten minutes ago.",
  code: "For your security, enter a code. You last entered one more than ten minutes ago.",
}

/** Confirms the user's identity, then continues the interrupted call. */
export default function ProofDialog({ by, onAnswer }: { by: ProofWay; onAnswer: (yes: boolean) => void }) {
  const { user } = useSession()
  const { form, submit, busy, problem } = useEntranceForm({
    initialValues: { given: "" },
    required: ["given"],
    send: async ({ given }) => {
      await client.users.prove({ [by]: given })
      onAnswer(true)
    },
  })
  const turnBack = () => {
    if (!busy) onAnswer(false)
  }
  useEscape(turnBack, true)
  const field = { ...form.getInputProps("given"), "data-autofocus": true }
  return (
    <Modal opened onClose={turnBack} zIndex={topZIndex + 1} title="Confirm it is you" size={440}>
      <form
        noValidate
        aria-label="Confirm it is you"
        onSubmit={(event) => {
          // React events bubble to the form that opened the dialog.
          event.stopPropagation()
          void submit(event)
        }}
      >
        <Stack gap="sm">
          <Text c="dimmed">{proofTexts[by]}</Text>
          {by === "code" ? (
            <CodeField {...field} key={form.key("given")} />
          ) : (
            <OwnPasswordField email={user.email} {...field} key={form.key("given")} />
          )}
          {problem && <InlineError>{problem}</InlineError>}
          <Group justify="flex-end" gap="xs" mt={4}>
            <Button variant="default" onClick={turnBack} disabled={busy}>
              Cancel
            </Button>
            <Button type="submit" disabled={busy}>
              {busy ? "Checking..." : "Continue"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
