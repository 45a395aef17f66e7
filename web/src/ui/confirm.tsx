import { Button, Group, Modal, Text } from "@mantine/core"
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react"
import { errorText } from "../shell/errors.ts"
import { InlineError } from "./inline-error.tsx"

export interface Question {
  /** A question with its object: "Delete Dental benefit?" */
  title: string
  /** What will happen, and whether it can be undone. */
  body: ReactNode
  /** Verb and object: "Delete benefit". */
  confirm: string
  /** Defaults to "Cancel". */
  cancel?: string
  /** Red button, for what destroys or pays. */
  danger?: boolean
  /**
   * Runs while the dialog shows that it is busy. When it fails the dialog stays and says why. Left out, the answer
   * alone is given.
   */
  action?: () => Promise<unknown>
}

type Ask = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<Ask | undefined>(undefined)

/**
 * Asks before deleting, before money moves, before leaving what is not saved.
 *
 *     const confirm = useConfirm()
 *     const removed = await confirm({
 *       title: "Delete Dental benefit?",
 *       body: "It is removed from the list. Product benefits that use it would have to be removed first.",
 *       confirm: "Delete benefit",
 *       danger: true,
 *       action: () => remove.mutateAsync({ benefitId }),
 *     })
 *
 * Answers true once the action has succeeded, false when the person turned back. A second click while it is busy
 * does nothing; Esc and a click outside are Cancel.
 */
export function useConfirm(): Ask {
  const ask = useContext(ConfirmContext)
  if (!ask) throw new Error("useConfirm outside ConfirmProvider")
  return ask
}

interface Open {
  question: Question
  answer: (yes: boolean) => void
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Open>()
  const [shown, setShown] = useState(false)
  const ask = useCallback<Ask>(
    (question) =>
      new Promise((answer) => {
        setOpen((before) => {
          before?.answer(false)
          return { question, answer }
        })
        setShown(true)
      }),
    [],
  )
  const close = useCallback(
    (yes: boolean) => {
      open?.answer(yes)
      setShown(false)
    },
    [open],
  )
  return (
    <ConfirmContext value={ask}>
      {children}
      {open && <ConfirmDialog question={open.question} opened={shown} onAnswer={close} />}
    </ConfirmContext>
  )
}

function ConfirmDialog(props: { question: Question; opened: boolean; onAnswer: (yes: boolean) => void }) {
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

/** Runs one thing at a time: what is asked for while it is busy (a double click) is not run. */
export function useBusyAction() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const running = useRef(false)
  return useMemo(
    () => ({
      busy,
      failure,
      forget: () => setFailure(undefined),
      async run(action?: () => Promise<unknown>): Promise<boolean> {
        if (running.current) return false
        running.current = true
        setBusy(true)
        setFailure(undefined)
        try {
          await action?.()
          return true
        } catch (error) {
          setFailure(error)
          return false
        } finally {
          running.current = false
          setBusy(false)
        }
      },
    }),
    [busy, failure],
  )
}
