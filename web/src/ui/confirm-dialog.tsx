import { Button, Group, Modal, Text } from "@mantine/core"
import { errorText } from "../platform/errors.ts"
import { useEscape, useKeys } from "../platform/keyboard.ts"
import { withoutBreaks } from "./breakable.tsx"
import type { Question } from "./confirm.tsx"
import { InlineError } from "./inline-error.tsx"
import { topZIndex } from "./theme.ts"
import { dismissLabel } from "./turn-back.ts"
import { useBusyAction, whileBusy } from "./use-busy-action.ts"

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
  const accept = async () => {
    if (await run(question.action)) onAnswer(true)
  }
  useEscape(turnBack, opened)
  useKeys({ "mod+Enter": () => void accept() }, opened, "dialog")
  return (
    <Modal opened={opened} onClose={turnBack} zIndex={topZIndex} title={withoutBreaks(question.title)} size={440}>
      <Text component="div" size="md" c="dimmed" mb="md">
        {withoutBreaks(question.body)}
      </Text>
      {failure !== undefined && <InlineError mb="md">{errorText(failure)}</InlineError>}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={turnBack} disabled={busy} data-autofocus={question.danger || undefined}>
          {question.cancel ?? dismissLabel(question.confirm)}
        </Button>
        <Button
          color={question.danger ? "red" : undefined}
          {...whileBusy(busy)}
          data-autofocus={question.danger ? undefined : true}
          onClick={() => void accept()}
        >
          {busy ? "Please wait..." : question.confirm}
        </Button>
      </Group>
    </Modal>
  )
}
