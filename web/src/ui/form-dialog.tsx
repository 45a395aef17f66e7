import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import { type FormEvent, type ReactNode, useId } from "react"
import { errorTextOf } from "../platform/errors.ts"
import { useEscape, useKeys } from "../platform/keyboard.ts"
import { keepNumbersUnbroken } from "./breakable.tsx"
import { focusFirstError, type RefusableForm, showRefusedFields } from "./form.ts"
import { InlineError } from "./inline-error.tsx"
import { dismissLabel } from "./turn-back.ts"
import { findUnreadableField, focusUnreadableField } from "./unreadable.ts"
import { useUnsavedInput } from "./unsaved.ts"
import { busyProps, useBusyAction } from "./use-busy-action.ts"
import { useUnsavedGuard } from "./use-unsaved-guard.tsx"

interface FormDialogProps<Values> {
  opened: boolean
  onClose: () => void
  title: string
  words?: ReactNode
  submit: string
  busyWords?: string
  danger?: boolean
  size?: number
  form: RefusableForm & {
    isDirty: () => boolean
    resetDirty: () => void
    onSubmit: (handle: (values: Values) => void) => (event?: FormEvent<HTMLFormElement>) => void
  }
  /** Returns false to stop the save; it must then mark the field itself. */
  check?: (values: Values) => boolean
  save: (values: Values) => Promise<unknown>
  also?: { submit: string; save: (values: Values) => Promise<unknown> }
  children: ReactNode
}

/**
 * A dialog with a form. Saves once on a double click, and asks before discarding changes.
 *
 *     const form = useForm({ initialValues: { reason: "" }, validate: { reason: required("Give a reason") } })
 *     <FormDialog opened={opened} onClose={close} title="Suspend policy" submit="Suspend policy" danger form={form}
 *       words="Members keep their records; no claims are paid for incidents while it is suspended."
 *       save={(values) => suspend.mutateAsync({ policyId, version, ...values })}>
 *       <Textarea label="Reason" required {...form.getInputProps("reason")} />
 *     </FormDialog>
 */
export function FormDialog<Values>(props: FormDialogProps<Values>) {
  const {
    opened,
    onClose,
    title,
    words,
    submit,
    busyWords,
    danger,
    size = 480,
    form,
    check,
    save,
    also,
    children,
  } = props
  const { busy, failure, run, forget } = useBusyAction()
  const formId = useId()
  useUnsavedInput(opened)
  const isTyped = opened && form.isDirty()
  const mayLeave = useUnsavedGuard(isTyped && !busy, "Your changes in this form")
  const close = async () => {
    if (busy) return
    if ((isTyped || findUnreadableField(document.getElementById(formId))) && !(await mayLeave())) return
    forget()
    onClose()
  }
  const submitted = (command: typeof save) => async (values: Values) => {
    const place = document.getElementById(formId)
    if (focusUnreadableField(place)) return
    forget()
    if (check && !check(values)) return focusFirstError(place)
    // Search the dialog first: the page behind may have a field of the same name.
    const getInputNode = (path: string) =>
      [...(place?.querySelectorAll<HTMLElement>("[data-path]") ?? [])].find(({ dataset }) => dataset.path === path) ??
      null
    let refused = false
    const sent = await run(() =>
      command(values).catch((error: unknown) => {
        refused = showRefusedFields({ setErrors: form.setErrors, getInputNode }, error)
        if (!refused) throw error
      }),
    )
    if (!sent || refused) return
    // Closing may navigate; a clean form does not ask.
    form.resetDirty()
    onClose()
  }
  const handle = form.onSubmit(submitted(save))
  const handleHere = (event: FormEvent<HTMLFormElement>) => {
    // A dialog inside another form must not submit that form too.
    event.stopPropagation()
    handle(event)
    focusFirstError(event.currentTarget)
  }
  const submitForm = () => (document.getElementById(formId) as HTMLFormElement | null)?.requestSubmit()
  useEscape(() => void close(), opened)
  useKeys({ "mod+Enter": submitForm, "mod+s": submitForm }, opened, "dialog")
  return (
    <Modal
      opened={opened}
      onClose={() => void close()}
      closeOnClickOutside={!isTyped}
      title={keepNumbersUnbroken(title)}
      size={size}
    >
      <form
        id={formId}
        ref={markInitialFocus}
        tabIndex={-1}
        style={{ outline: "none" }}
        onSubmit={handleHere}
        noValidate
      >
        <Stack gap="sm">
          {words && (
            <Text component="div" c="dimmed">
              {keepNumbersUnbroken(words)}
            </Text>
          )}
          {children}
          {failure !== undefined && <InlineError>{errorTextOf(failure)}</InlineError>}
          <Group justify="flex-end" gap="xs" data-dialog-foot>
            <Button variant="default" onClick={() => void close()} disabled={busy} data-harmless={danger || undefined}>
              {dismissLabel(submit)}
            </Button>
            {also && (
              <Button variant="default" {...busyProps(busy)} onClick={() => form.onSubmit(submitted(also.save))()}>
                {also.submit}
              </Button>
            )}
            <Button
              type="submit"
              color={danger ? "red" : undefined}
              {...busyProps(busy)}
              data-harmless={!danger || undefined}
            >
              {busy ? (busyWords ?? (submit === "Save" ? "Saving..." : "Please wait...")) : submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Focus starts at the first field or the harmless button, not at Close. */
function markInitialFocus(form: HTMLFormElement | null): void {
  const start = form?.querySelector("input, textarea") ?? form?.querySelector("[data-harmless]")
  start?.setAttribute("data-autofocus", "")
}
