import { Button, Group } from "@mantine/core"
import { type FormValidateInput, type UseFormReturnType, useForm } from "@mantine/form"
import { IconPencil } from "@tabler/icons-react"
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react"
import { errorTextOf, readIfStale } from "../platform/errors.ts"
import { useKeys } from "../platform/keyboard.ts"
import { allowBreaks } from "./breakable.tsx"
import { showRefusedFields } from "./form.ts"
import { InlineError } from "./inline-error.tsx"
import classes from "./section-editor.module.css"
import { useEditing } from "./section-group.tsx"
import { ConflictChoice, conflictsOf, type FieldConflict } from "./stale-choice.tsx"
import { focusUnreadableField } from "./unreadable.ts"
import { useUnsavedGuard } from "./use-unsaved-guard.tsx"

/** `laterChanges` is only an input, never displayed. */
type EditableName<Values> = Exclude<keyof Values, "laterChanges">

type Fields<Values, Record> = {
  [Name in EditableName<Values>]: {
    label: string
    show?: (value: Values[Name], record: Record) => ReactNode
    wide?: boolean
    onlyEdited?: boolean
  }
}

interface SectionEditorProps<Values extends object, Record extends { version: number }> {
  /** Unique on the page; one section is edited at a time. */
  name: string
  title: string
  record: Record
  /** From the record's `allowedActions`. */
  canEdit: boolean
  begun?: boolean
  values: (record: Record) => Values
  fields: Fields<Values, Record>
  children: (form: UseFormReturnType<Values>) => ReactNode
  validate?: FormValidateInput<Values>
  /** `version` is the one that was read. */
  save: (values: Values, version: number) => Promise<unknown>
  reload: () => Promise<Record>
}

/**
 * A section of a record that is edited separately.
 *
 *     <SectionEditor name="contact" title="Main Contact" record={policy} canEdit={policy.allowedActions.includes("edit")}
 *       values={(p) => ({ contactName: p.contactName, contactEmail: p.contactEmail })}
 *       fields={{ contactName: { label: "Full name" }, contactEmail: { label: "E-mail" } }}
 *       save={(values, version) => update.mutateAsync({ policyId: policy.id, version, ...values })}
 *       reload={() => client.policies.detail({ policyId: policy.id })}>
 *       {(form) => (<>
 *         <TextInput label="Full name" required {...form.getInputProps("contactName")} />
 *         <TextInput label="E-mail" required {...form.getInputProps("contactEmail")} />
 *       </>)}
 *     </SectionEditor>
 *
 * Cancel and Save Changes are in the header of the record page, or else below the section. On a stale version both
 * values of each field are offered, so typed values are not lost. The command's `useCommand` takes `quiet: ["STALE"]`.
 */
export function SectionEditor<Values extends object, Record extends { version: number }>(
  props: SectionEditorProps<Values, Record>,
) {
  const { name, title, record, canEdit, fields } = props
  const editing = useEditing()
  const [base, setBase] = useState(props.begun && canEdit ? record : undefined)
  const begin = useRef(() => {})
  begin.current = () => setBase(record)
  const offer = editing?.offer
  useEffect(() => (canEdit ? offer?.(() => begin.current()) : undefined), [canEdit, offer])
  const editButton = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useLayoutEffect(() => {
    // Cancel and Save Changes unmount with the form, so focus returns to the Edit button.
    const at = document.activeElement
    if (!base && wasOpen.current && (at === document.body || at?.closest("[data-editing]"))) editButton.current?.focus()
    wasOpen.current = base !== undefined
  }, [base])
  const otherOpen = editing?.current !== undefined && editing.current.name !== name
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        {canEdit && !base && (
          <Button
            ref={editButton}
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPencil size={14} aria-hidden />}
            disabled={otherOpen}
            title={otherOpen ? "Save or cancel the section that is being edited first" : undefined}
            aria-label={`Edit ${title}`}
            onClick={() => setBase(record)}
          >
            Edit
          </Button>
        )}
      </div>
      {base ? (
        <SectionForm {...props} base={base} onBase={setBase} />
      ) : (
        <dl className={classes.values}>
          {displayedNamesOf(fields).map((field) => {
            const value = props.values(record)[field]
            const shown = fields[field].show ? fields[field].show(value, record) : plainText(value)
            return (
              <div key={String(field)} data-wide={fields[field].wide || undefined}>
                <dt>{fields[field].label}</dt>
                <dd>{allowBreaks(shown) ?? "–"}</dd>
              </div>
            )
          })}
        </dl>
      )}
    </section>
  )
}

const fieldNamesOf = <Values, Record>(fields: Fields<Values, Record>) =>
  Object.keys(fields) as (EditableName<Values> & string)[]

const displayedNamesOf = <Values, Record>(fields: Fields<Values, Record>) =>
  fieldNamesOf(fields).filter((name) => !fields[name].onlyEdited)

const plainText = (value: unknown): ReactNode =>
  value === null || value === undefined || value === "" ? undefined : String(value)

function SectionForm<Values extends object, Record extends { version: number }>(
  props: SectionEditorProps<Values, Record> & { base: Record; onBase: (record: Record | undefined) => void },
) {
  const { name, title, base, onBase, fields } = props
  const form = useForm<Values>({ initialValues: props.values(base), validate: props.validate })
  const [failure, setFailure] = useState<unknown>()
  const [stale, setStale] = useState<{ current: Record; clashes: FieldConflict[] }>()
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const root = useRef<HTMLFormElement>(null)
  const editing = useEditing()
  useEffect(() => {
    const start = root.current?.querySelector<HTMLElement>("input, textarea") ?? root.current
    start?.focus({ preventScroll: true })
  }, [])
  const changed = fieldNamesOf(fields).some((field) => !isEqualValue(form.values[field], props.values(base)[field]))
  useUnsavedGuard(changed && !busy, `Your changes under ${title}`)

  const run = async (values: Values, version: number) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setFailure(undefined)
    try {
      await props.save(values, version)
      onBase(undefined)
    } catch (error) {
      const current = await readIfStale(error, props.reload)
      if (current) {
        const now = props.values(current)
        setStale({ current, clashes: conflictsOf(fieldNamesOf(fields), props.values(base), values, now) })
        // Adopts the other user's changes to fields that this user left unchanged.
        for (const field of fieldNamesOf(fields)) {
          if (isEqualValue(values[field], props.values(base)[field])) form.setFieldValue(field, now[field] as never)
        }
      } else if (!showRefusedFields(form, error)) {
        setFailure(error)
      } else {
        setFailure(undefined)
      }
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  const save = () => {
    const check = form.validate()
    if (focusUnreadableField(root.current)) return
    if (check.hasErrors) {
      form.getInputNode(Object.keys(check.errors)[0]!)?.focus()
      return
    }
    void run(form.getValues(), stale?.current.version ?? base.version)
  }
  const cancel = () => {
    if (!running.current) onBase(undefined)
  }
  const latest = useRef({ save, cancel })
  latest.current = { save, cancel }
  const announce = editing?.set
  useEffect(() => {
    announce?.(name, { name, busy, save: () => latest.current.save(), cancel: () => latest.current.cancel() })
  }, [announce, name, busy])
  useEffect(() => () => announce?.(name, undefined), [announce, name])
  useKeys({ "mod+s": save, "mod+Enter": save, Escape: changed ? undefined : cancel })

  return (
    <form
      ref={root}
      tabIndex={-1}
      style={{ outline: "none" }}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {stale && (
        <ConflictChoice
          clashes={stale.clashes}
          labelOf={(field) => fields[field as EditableName<Values>].label}
          show={(field, side) => {
            const look = fields[field as EditableName<Values>]
            const values = side === "theirs" ? props.values(stale.current) : form.values
            const value = values[field as EditableName<Values>]
            return (look.show ? look.show(value, stale.current) : plainText(value)) ?? "–"
          }}
          onTake={(field) =>
            form.setFieldValue(field as never, props.values(stale.current)[field as keyof Values] as never)
          }
          onKeep={(field, mine) => form.setFieldValue(field as never, mine as never)}
        />
      )}
      <div className={classes.inputs}>{props.children(form)}</div>
      {failure !== undefined && <InlineError>{errorTextOf(failure)}</InlineError>}
      {!editing && (
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={cancel} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Save Changes
          </Button>
        </Group>
      )}
      {/* Lets Enter submit the form. */}
      {editing && <button type="submit" hidden aria-hidden tabIndex={-1} />}
    </form>
  )
}

const isEqualValue = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
