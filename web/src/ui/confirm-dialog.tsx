import { Button, Group, Modal, Text } from "@mantine/core"
import { errorText } from "../shell/errors.ts"
import type { Question } from "./confirm.tsx"
import { InlineError } from "./inline-error.tsx"
import { useBusyAction } from "./use-busy-action.ts"

/** The dialog of `useConfirm`; a chunk of its own, loaded with the first question. */
export default function ConfirmDialog(props: {
  question: Question
  opened: boolean
  onAnswer: (yes: boolean) => void
}) {
  const { question, opened, onAnswer } = props
  const { busy, failure, run, forget } = useBusyAction()
  const turnBack = () => {
    if (busy) return
    forget()
    onAnswer(false)
  }
  return (
    <Modal opened={opened} onClose={turnBack} title={question.title} size={440}>
      <Text component="div" size="md" c="dimmed" mb="md">
        {question.body}
      </Text>
      {failure !== undefined && <InlineError mb="md">{errorText(failure)}</InlineError>}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={turnBack} disabled={busy} data-autofocus={question.danger || undefined}>
          {question.cancel ?? "Cancel"}
        </Button>
        <Button
          color={question.danger ? "red" : undefined}
          loading={busy}
          data-autofocus={question.danger ? undefined : true}
          onClick={async () => {
            if (await run(question.action)) onAnswer(true)
          }}
        >
          {question.confirm}
        </Button>
      </Group>
    </Modal>
  )
}
