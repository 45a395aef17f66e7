import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from "react"

const ConfirmDialog = lazy(() => import("./confirm-dialog.tsx"))

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
      <Suspense>{open && <ConfirmDialog question={open.question} opened={shown} onAnswer={close} />}</Suspense>
    </ConfirmContext>
  )
}
