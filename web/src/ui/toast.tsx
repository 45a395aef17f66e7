import { ActionIcon, Button, Portal, Transition } from "@mantine/core"
import { IconAlertCircle, IconCircleCheck, IconX } from "@tabler/icons-react"
import { useEffect, useSyncExternalStore } from "react"
import { errorTextOf } from "../platform/errors.ts"
import classes from "./toast.module.css"

export interface Toast {
  title?: string
  message: string
  detail?: string
  tone: "success" | "error"
  undo?: () => void
}

const toastDurationMs = 5_000

let currentToast: { toast: Toast; serial: number } | undefined
let toastCount = 0
const toastListeners = new Set<() => void>()

function setToast(toast: Toast | undefined) {
  toastCount += 1
  currentToast = toast && { toast, serial: toastCount }
  for (const listener of toastListeners) listener()
}

function subscribeToToasts(listener: () => void) {
  toastListeners.add(listener)
  return () => toastListeners.delete(listener)
}

/**
 * One toast at a time, for five seconds; a new one replaces it.
 *
 *     const toast = useToast()
 *     toast.success("Claim submitted successfully for approval")
 *     toast.success("12 members", { title: "Members Added", undo: () => remove.mutate(ids) })
 *     toast.error("Failed to submit claim", error)       // title Error, the reason on a second line
 *
 * Show errors inline as well, since a toast disappears.
 */
export function useToast() {
  return toast
}

export const toast = {
  success(message: string, more: { title?: string; undo?: () => void } = {}) {
    setToast({ ...more, message, tone: "success" })
  },
  error(message: string, cause?: unknown, title = "Error") {
    const detail = cause === undefined ? undefined : errorTextOf(cause)
    setToast({ title, message, detail: detail === message ? undefined : detail, tone: "error" })
  },
  clear() {
    setToast(undefined)
  },
}

export function Toaster() {
  const shown = useSyncExternalStore(subscribeToToasts, () => currentToast)
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setToast(undefined), toastDurationMs)
    return () => clearTimeout(timer)
  }, [shown])
  const failed = shown?.toast.tone === "error"
  return (
    <Portal>
      <section className={classes.place} aria-label="Messages">
        <div role={failed ? "alert" : "status"} aria-live={failed ? "assertive" : "polite"}>
          <Transition mounted={shown !== undefined} transition="slide-down" duration={150} key={shown?.serial}>
            {(style) => <div style={style}>{shown && <ToastCard toast={shown.toast} />}</div>}
          </Transition>
        </div>
      </section>
    </Portal>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const Icon = toast.tone === "error" ? IconAlertCircle : IconCircleCheck
  return (
    <div className={classes.toast} data-tone={toast.tone}>
      <Icon className={classes.icon} size={18} aria-hidden />
      <div className={classes.text}>
        {toast.title && <div className={classes.title}>{toast.title}</div>}
        <div>{toast.message}</div>
        {toast.detail && <div className={classes.detail}>{toast.detail}</div>}
      </div>
      {toast.undo && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            toast.undo?.()
            setToast(undefined)
          }}
        >
          Undo
        </Button>
      )}
      <ActionIcon aria-label="Dismiss message" size={24} onClick={() => setToast(undefined)}>
        <IconX size={14} />
      </ActionIcon>
    </div>
  )
}
