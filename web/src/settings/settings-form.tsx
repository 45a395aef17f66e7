import { Button, Group, Skeleton, Stack, Text } from "@mantine/core"
import { type FormValidateInput, type UseFormReturnType, useForm } from "@mantine/form"
import type { Settings } from "@milkwood/domain/settings/settings"
import type { SettingsDetail } from "@milkwood/domain/settings/settings.contract"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useRef } from "react"
import { client } from "../platform/api.ts"
import { errorTextOf, invalidFieldsOf, refusalCodeOf } from "../platform/errors.ts"
import { useKeys } from "../platform/keyboard.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { InstantText } from "../ui/day.tsx"
import { focusFirstError, showRefusedFields } from "../ui/form.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { useBusyAction } from "../ui/use-busy-action.ts"
import { useUnsavedGuard } from "../ui/use-unsaved-guard.tsx"
import { MergeNotice } from "./merge-notice.tsx"
import { settingsQuery, useSettingsCommands } from "./settings.api.ts"
import classes from "./settings-form.module.css"
import { useMerge } from "./use-merge.ts"

interface SettingsFormProps<Values extends object> {
  valuesOf: (settings: Settings) => Values
  into: (settings: Settings, values: Values) => Settings
  /** Saved with the values, and never read back. */
  secretsOf?: (values: Values) => { mailPassword?: string }
  labels: { [Name in keyof Values]: string }
  show?: (field: keyof Values, value: unknown) => ReactNode
  /** Server field paths to form fields. */
  rename: Record<string, string>
  validate?: FormValidateInput<Values>
  children: (form: UseFormReturnType<Values>, detail: SettingsDetail) => ReactNode
}

export function SettingsForm<Values extends object>(props: SettingsFormProps<Values>) {
  const detail = useQuery(settingsQuery())
  if (detail.isError && !detail.data) {
    return (
      <LoadFailed
        title="Failed to load settings"
        error={detail.error}
        onRetry={detail.refetch}
        busy={detail.isFetching}
      />
    )
  }
  if (!detail.data) return <Skeleton h={420} maw={720} aria-label="Loading settings" />
  return <LoadedForm {...props} detail={detail.data} />
}

function LoadedForm<Values extends object>(props: SettingsFormProps<Values> & { detail: SettingsDetail }) {
  const { detail, valuesOf, into, secretsOf, labels, show, rename, validate, children } = props
  const form = useForm<Values>({ initialValues: valuesOf(detail.settings), validate })
  const {
    base = detail,
    version,
    merge,
    keep,
    restart,
  } = useMerge(
    form,
    detail,
    ({ settings }) => valuesOf(settings),
    () => client.settings.detail(),
  )
  const { save, reset } = useSettingsCommands()
  const confirm = useConfirm()
  const { busy, failure, run } = useBusyAction()
  useUnsavedGuard(form.isDirty() && !busy)

  const submit = form.onSubmit((values) =>
    run(async () => {
      try {
        restart(await save.mutateAsync({ version, settings: into(base.settings, values), ...secretsOf?.(values) }))
      } catch (error) {
        showRefusedFields(form, error, rename)
        await keep(error)
      }
    }),
  )
  const askToReset = () =>
    confirm({
      title: "Reset to defaults?",
      body: "All settings on all tabs return to their defaults. The organisation's details do not change.",
      confirm: "Reset to Defaults",
      danger: true,
      action: async () => restart(await reset.mutateAsync({ version })),
    })
  const place = useRef<HTMLFormElement>(null)
  const submitForm = () => place.current?.requestSubmit()
  useKeys({ "mod+s": submitForm, "mod+Enter": submitForm })

  return (
    <form
      ref={place}
      onSubmit={(event) => {
        submit(event)
        focusFirstError(event.currentTarget)
      }}
      noValidate
    >
      <Stack maw={720} gap="lg">
        <MergeNotice merge={merge} form={form} labels={labels} show={show} />
        {children(form, detail)}
        {failure !== undefined && refusalCodeOf(failure) !== "STALE" && (
          <InlineError>
            {invalidFieldsOf(failure).length > 0 ? "Correct the marked fields above." : errorTextOf(failure)}
          </InlineError>
        )}
        <Group justify="space-between" className={classes.bar}>
          <Text c="dimmed" size="sm">
            {base.savedAt ? (
              <>
                Last saved by {base.savedBy ?? "Milkwood"} on <InstantText at={base.savedAt} />
              </>
            ) : (
              "Default settings"
            )}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={askToReset} disabled={busy}>
              Reset to Defaults
            </Button>
            <Button type="submit" loading={busy} disabled={!form.isDirty() && !merge}>
              Save Changes
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}
