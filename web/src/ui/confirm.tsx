import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from "react"

const ConfirmDialog = lazy(() => import("./confirm-dialog.tsx"))

export interface Question {
  title: string
  body: ReactNode
  confirm: string
  cancel?: string
  danger?: boolean
  /** Runs while the dialog shows that it is busy; a failure keeps it open with the error. */
  action?: () => Promise<unknown>
}

type AskConfirmation = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<AskConfirmation | undefined>(undefined)

/**
 * Asks before a deletion, a payment or the loss of unsaved changes.
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
 * Resolves to true once the action has succeeded, false on cancel.
 */
export function useConfirm(): AskConfirmation {
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
  const ask = useCallback<AskConfirmation>(
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
      <Suspense>{open && <ConfirmDialog question={open.question} opened={shown} onAnswer={close} />}</Suspense>
    </ConfirmContext>
  )
}
