import { Button, Group, Modal, Text } from "@mantine/core"
import { errorTextOf } from "../platform/errors.ts"
import { useEscape, useKeys } from "../platform/keyboard.ts"
import { keepNumbersUnbroken } from "./breakable.tsx"
import type { Question } from "./confirm.tsx"
import { InlineError } from "./inline-error.tsx"
import { topZIndex } from "./theme.ts"
import { dismissLabel } from "./turn-back.ts"
import { busyProps, useBusyAction } from "./use-busy-action.ts"

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
    <Modal opened={opened} onClose={turnBack} zIndex={topZIndex} title={keepNumbersUnbroken(question.title)} size={440}>
      <Text component="div" size="md" c="dimmed" mb="md">
        {keepNumbersUnbroken(question.body)}
      </Text>
      {failure !== undefined && <InlineError mb="md">{errorTextOf(failure)}</InlineError>}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={turnBack} disabled={busy} data-autofocus={question.danger || undefined}>
          {question.cancel ?? dismissLabel(question.confirm)}
        </Button>
        <Button
          color={question.danger ? "red" : undefined}
          {...busyProps(busy)}
          data-autofocus={question.danger ? undefined : true}
          onClick={() => void accept()}
        >
          {busy ? "Please wait..." : question.confirm}
        </Button>
      </Group>
    </Modal>
  )
}
