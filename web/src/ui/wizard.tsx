import { Button, Progress } from "@mantine/core"
import { IconCheck } from "@tabler/icons-react"
import type { LinkProps } from "@tanstack/react-router"
import { type ReactNode, useEffect, useRef } from "react"
import { errorTextOf } from "../platform/errors.ts"
import { modKey, useKeys } from "../platform/keyboard.ts"
import { finePointer } from "../platform/pointer.ts"
import { keepNumbersUnbroken } from "./breakable.tsx"
import { InstantText } from "./day.tsx"
import { InlineError } from "./inline-error.tsx"
import { PageHeader } from "./page-header.tsx"
import { focusUnreadableField } from "./unreadable.ts"
import type { Autosave } from "./use-autosave.ts"
import { useUnsavedGuard } from "./use-unsaved-guard.tsx"
import classes from "./wizard.module.css"

export interface WizardStep {
  value: string
  label: string
  /** Labels of the missing inputs; Next is enabled when empty. */
  missing: string[]
  opensEarly?: boolean
  content: ReactNode
}

interface WizardProps {
  title: string
  badge?: ReactNode
  back: LinkProps & { label: string }
  steps: WizardStep[]
  step: string
  onStep: (step: string) => void
  /** Left out for a form that is saved only at the end; pass `unsaved` then. */
  autosave?: Autosave
  unsaved?: boolean
  summary?: ReactNode
  actions?: ReactNode
  finish: {
    label: string
    busyLabel?: string
    onFinish: () => void
    busy?: boolean
    disabled?: boolean
    error?: unknown
  }
}

/**
 * A form of several steps; the step is in the address.
 *
 *     const autosave = useAutosave({ values: form.values, save: saveDraft })
 *     <Wizard title="New claim" back={{ to: "/claims", label: "Back to Claims" }}
 *       step={step} onStep={(next) => navigate({ to: ".", search: (s) => ({ ...s, step: next }) })}
 *       steps={[{ value: "member", label: "Member Selection", missing: form.values.memberId ? [] : ["Member"], content: … }, …]}
 *       autosave={autosave} summary={<ClaimSummary … />}
 *       finish={{ label: "Submit claim", onFinish: () => submit.mutate(…), busy: submit.isPending, error: submit.error }} />
 *
 * After the first save, show the draft's address without losing focus: navigate to the same page with a mask,
 * `navigate({ to: ".", search: …, mask: { to: "/claims/$claimId/edit", params: { claimId } }, replace: true })`. A
 * reload or a shared link then opens the edit page.
 *
 * Ctrl/⌘ S saves now. Beside a disabled Next the missing inputs are named.
 */
export function Wizard(props: WizardProps) {
  const { title, steps, step, onStep, autosave, finish } = props
  const at = Math.max(
    0,
    steps.findIndex((each) => each.value === step),
  )
  const current = steps[at]!
  const last = at === steps.length - 1
  const missingUpTo = (index: number) => steps.slice(0, index + 1).flatMap((each) => each.missing)
  const reachable = (index: number) => index <= at || steps[index]!.opensEarly || missingUpTo(index - 1).length === 0
  const needed = last ? current.missing : missingUpTo(at)
  const ready = needed.length === 0 || (!last && reachable(at + 1))
  const form = useRef<HTMLElement>(null)
  const next = () => {
    if (focusUnreadableField(form.current)) return
    if (last) {
      if (ready && !finish.busy && !finish.disabled) finish.onFinish()
    } else if (ready) onStep(steps[at + 1]!.value)
  }
  useUnsavedGuard((autosave?.unsaved ?? props.unsaved ?? false) && !finish.busy)
  useKeys({ "mod+s": autosave ? () => void autosave.saveNow() : undefined, "mod+Enter": next })
  // Focus the first field of the step, or the step itself.
  useEffect(() => {
    const at = document.activeElement
    const typing = form.current?.contains(at) && !(at instanceof HTMLButtonElement)
    if (!step || typing) return
    const field = form.current?.querySelector<HTMLElement>("input, textarea")
    const start = finePointer && field?.matches(typeableSelector) ? field : form.current
    start?.focus({ preventScroll: true })
  }, [step])
  return (
    <div>
      <PageHeader
        title={keepNumbersUnbroken(title)}
        name={title}
        badge={props.badge}
        back={props.back}
        actions={props.actions}
      />
      <Progress
        value={((at + 1) / steps.length) * 100}
        size={4}
        mb="md"
        aria-label={`Step ${at + 1} of ${steps.length}`}
        transitionDuration={150}
      />
      <div className={classes.columns} data-summary={props.summary ? true : undefined}>
        <nav aria-label="Steps">
          <ol className={classes.steps}>
            {steps.map((each, index) => {
              const done = each.missing.length === 0 && index < at
              return (
                <li key={each.value}>
                  <button
                    type="button"
                    className={classes.step}
                    ref={index === at ? scrollStepIntoView : undefined}
                    data-active={index === at || undefined}
                    data-done={done || undefined}
                    aria-current={index === at ? "step" : undefined}
                    disabled={!reachable(index)}
                    onClick={() => onStep(each.value)}
                  >
                    <span className={classes.mark} aria-hidden>
                      {done ? <IconCheck size={12} stroke={2.5} /> : index + 1}
                    </span>
                    {each.label}
                    <span className="visually-hidden">
                      {done ? ", completed" : index === at ? ", active" : ", pending"}
                    </span>
                  </button>
                </li>
              )
            })}
          </ol>
        </nav>
        <section ref={form} tabIndex={-1} className={classes.form} aria-label={current.label}>
          <h2 className={classes.stepTitle}>{current.label}</h2>
          {current.content}
          {finish.error != null && last && <InlineError mt="md">{errorTextOf(finish.error)}</InlineError>}
          <div className={classes.foot}>
            <Button variant="default" disabled={at === 0} onClick={() => onStep(steps[at - 1]!.value)}>
              Previous
            </Button>
            <span className={classes.saved} role="status">
              {autosave && <SavedText autosave={autosave} />}
            </span>
            <span className={classes.missing} role="status">
              {needed.length > 0 && `Still needed: ${needed.join(", ")}`}
            </span>
            <Button onClick={next} disabled={!ready || (last && finish.disabled)} loading={last && finish.busy}>
              {last ? (finish.busy ? (finish.busyLabel ?? finish.label) : finish.label) : "Next"}
            </Button>
          </div>
        </section>
        {props.summary && (
          <aside className={classes.summary} aria-label="Summary">
            {props.summary}
          </aside>
        )}
      </div>
    </div>
  )
}

const typeableSelector = "input:not([type=search], [type=file], [type=radio], [type=checkbox], :disabled), textarea"

function scrollStepIntoView(step: HTMLElement | null) {
  const place = step?.closest("ol")
  if (!step || !place || place.scrollWidth <= place.clientWidth) return
  place.scrollLeft = step.offsetLeft - place.offsetLeft - (place.clientWidth - step.offsetWidth) / 2
}

export function SavedText({ autosave }: { autosave: Autosave }) {
  if (autosave.state === "saving") return <>Saving...</>
  if (autosave.state === "failed") {
    return (
      <span className={classes.notSaved}>
        Not saved: {errorTextOf(autosave.error)}{" "}
        <Button variant="subtle" size="compact-xs" onClick={() => void autosave.saveNow()}>
          Save now
        </Button>
      </span>
    )
  }
  if (autosave.state === "waiting") return <>Not saved yet</>
  if (!autosave.savedAt)
    return autosave.isOn ? (
      <span title={`Press ${modKey} S to save now`}>Changes are saved automatically</span>
    ) : (
      <>Nothing saved yet</>
    )
  return (
    <>
      Saved <InstantText at={autosave.savedAt.toString()} show="time" />
    </>
  )
}
