import { Anchor, Button, Group, Input, SegmentedControl, Stack, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { Day } from "@milkwood/domain/kernel/calendar"
import {
  type NoteDirection,
  type NoteInput,
  type NoteKind,
  noteDirectionNames,
  noteDirections,
  noteKindNames,
  noteKinds,
  noteProblems,
} from "@milkwood/domain/platform/note"
import type { Note } from "@milkwood/domain/platform/note-shape"
import type { UseQueryResult } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense, useRef, useState } from "react"
import { newKey } from "../platform/api.ts"
import { errorTextOf } from "../platform/errors.ts"
import { useKeys } from "../platform/keyboard.ts"
import { ContactEntries, ContactEntry } from "./contact-entry.tsx"
import { DayText, InstantText } from "./day.tsx"
import { DayInput } from "./day-input.tsx"
import { useDisplay } from "./display.tsx"
import { EmptyState } from "./empty-state.tsx"
import { focusFirstError, showRefusedFields } from "./form.ts"
import { InlineError } from "./inline-error.tsx"
import { LoadFailed } from "./load-failed.tsx"
import classes from "./notes.module.css"
import { RecordLoading, SidePanel } from "./record-page.tsx"
import { StatusBadge } from "./status-badge.tsx"
import { busyProps, useBusyAction } from "./use-busy-action.ts"
import { useUnsavedGuard } from "./use-unsaved-guard.tsx"

const ReasonDialog = lazy(() => import("./reason-dialog.tsx"))

export interface NoteCommands {
  /** Absent if the user may not write notes. */
  add?: (given: { idempotencyKey: string; note: NoteInput }) => Promise<unknown>
  strike: (given: { noteId: string; reason: string }) => Promise<unknown>
  completeFollowUp: (given: { noteId: string }) => Promise<unknown>
}

interface NotesPanelProps {
  notes: UseQueryResult<Note[]>
  commands: NoteCommands
  /** For the empty state: "claim". */
  record: string
}

/**
 * Notes, calls and e-mails about a record, with a form to add one.
 *
 *     <NotesPanel record="claim" notes={useQuery(claimNotesQuery(claim.id))} commands={useClaimNotes(claim.id)} />
 */
export function NotesPanel({ notes, commands, record }: NotesPanelProps) {
  const { add } = commands
  const [striking, setStriking] = useState<string>()
  return (
    <SidePanel title="Notes and calls">
      <Stack gap="md">
        {add && <NoteForm add={add} />}
        <NoteList notes={notes} commands={commands} record={record} onStrike={setStriking} />
      </Stack>
      <Suspense>
        {striking && (
          <ReasonDialog
            title="Strike out this note?"
            words="The note stays, struck out, with your reason. Its follow-up ends."
            submit="Strike out"
            danger
            maxLength={500}
            save={({ reason }) => commands.strike({ noteId: striking, reason })}
            onClose={() => setStriking(undefined)}
          />
        )}
      </Suspense>
    </SidePanel>
  )
}

const emptyNote: NoteInput = {
  ...{ kind: "note", direction: null, person: "", contact: "", text: "" },
  ...{ happenedOn: null, followUpOn: null },
}

const textLabels: Record<NoteKind, string> = { note: "Note", call: "What was said", mail: "What was written" }
const contactLabels = { call: "Phone number", mail: "E-mail address" }

function NoteForm({ add }: { add: NonNullable<NoteCommands["add"]> }) {
  const { today } = useDisplay()
  const [key, setKey] = useState(newKey)
  const place = useRef<HTMLFormElement>(null)
  const { busy, failure, run, forget } = useBusyAction()
  const form = useForm<NoteInput>({ initialValues: emptyNote, validate: (note) => noteProblems(note, today) })
  const { kind } = form.values
  useUnsavedGuard(form.isDirty() && !busy, "Your note")
  const clear = () => {
    form.reset()
    setKey(newKey())
  }
  const choose = (chosen: NoteKind) => {
    form.setValues(chosen === "note" ? { kind: chosen, direction: null, person: "", contact: "" } : { kind: chosen })
    form.clearErrors()
  }
  const save = async (note: NoteInput) => {
    forget()
    const setErrors = (errors: Record<string, string>) =>
      form.setErrors(
        Object.fromEntries(Object.entries(errors).map(([path, message]) => [path.slice("note.".length), message])),
      )
    await run(async () => {
      try {
        await add({ idempotencyKey: key, note })
        clear()
        place.current?.querySelector<HTMLElement>("textarea")?.focus()
      } catch (error) {
        if (!showRefusedFields({ setErrors }, error)) throw error
      }
    })
  }
  const isTyping = () => place.current?.contains(document.activeElement) ?? false
  useKeys({ "mod+Enter": () => (isTyping() ? place.current?.requestSubmit() : false) })
  return (
    <form
      ref={place}
      noValidate
      aria-label="New note"
      onSubmit={(event) => {
        form.onSubmit((note) => void save(note))(event)
        focusFirstError(event.currentTarget)
      }}
    >
      <Stack gap="sm">
        <SegmentedControl
          aria-label="Kind"
          value={kind}
          onChange={(value) => choose(value as NoteKind)}
          data={noteKinds.map((value) => ({ value, label: noteKindNames[value] }))}
        />
        {kind !== "note" && (
          <>
            <Input.Wrapper label="Direction" required error={form.errors.direction}>
              <div>
                <SegmentedControl
                  aria-label="Direction"
                  value={form.values.direction ?? ""}
                  onChange={(value) => form.setFieldValue("direction", value as NoteDirection)}
                  data={noteDirections.map((value) => ({ value, label: noteDirectionNames[value] }))}
                />
              </div>
            </Input.Wrapper>
            <div className={classes.fields}>
              <TextInput label="With" required maxLength={200} {...form.getInputProps("person")} />
              <TextInput label={contactLabels[kind]} maxLength={200} {...form.getInputProps("contact")} />
              <DayInput label="Day" placeholder="Today" latest={today} {...form.getInputProps("happenedOn")} />
            </div>
          </>
        )}
        <Textarea
          label={textLabels[kind]}
          required
          autosize
          minRows={2}
          maxLength={4000}
          {...form.getInputProps("text")}
        />
        <div className={classes.followUpField}>
          <DayInput
            label="Follow up on"
            description="Adds it to your follow-ups"
            earliest={today}
            {...form.getInputProps("followUpOn")}
          />
        </div>
        {failure !== undefined && <InlineError>{errorTextOf(failure)}</InlineError>}
        <Group gap="xs">
          <Button type="submit" title="Ctrl Enter" {...busyProps(busy)}>
            Save {noteKindNames[kind].toLowerCase()}
          </Button>
          <span className={classes.quiet}>A saved note cannot be changed.</span>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/claims/follow-ups" />}>
            My follow-ups
          </Anchor>
        </Group>
      </Stack>
    </form>
  )
}

interface NoteListProps extends NotesPanelProps {
  onStrike: (noteId: string) => void
}

function NoteList({ notes, commands, record, onStrike }: NoteListProps) {
  const completing = useBusyAction()
  if (notes.isPending) return <RecordLoading words="Loading notes..." />
  if (!notes.data)
    return (
      <LoadFailed title="Failed to load notes" error={notes.error} onRetry={notes.refetch} busy={notes.isFetching} />
    )
  if (notes.data.length === 0)
    return <EmptyState title="No notes yet">Notes and calls about this {record} appear here, newest first.</EmptyState>
  return (
    <ContactEntries label="Notes and calls">
      {notes.data.map((note) => (
        <ContactEntry
          key={note.id}
          head={<NoteHead note={note} />}
          text={note.struckAt ? <s>{note.text}</s> : note.text}
          by={
            <>
              <InstantText at={note.writtenAt} />, {note.writtenBy}
            </>
          }
          actions={<NoteActions note={note} completing={completing} commands={commands} onStrike={onStrike} />}
        />
      ))}
    </ContactEntries>
  )
}

interface NoteActionsProps {
  note: Note
  commands: NoteCommands
  completing: ReturnType<typeof useBusyAction>
  onStrike: (noteId: string) => void
}

function NoteActions({ note, commands, completing, onStrike }: NoteActionsProps) {
  const { id, struckAt, struckReason, followUpOn, allowedActions } = note
  if (struckAt)
    return (
      <span className={classes.struck}>
        Struck out on <InstantText at={struckAt} />: {struckReason}
      </span>
    )
  if (!followUpOn && allowedActions.length === 0) return null
  return (
    <Group gap="xs">
      {followUpOn && <FollowUpText note={note} day={followUpOn} />}
      {allowedActions.includes("completeFollowUp") && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={completing.busy}
          onClick={() => void completing.run(() => commands.completeFollowUp({ noteId: id }))}
        >
          Follow-up done
        </Button>
      )}
      {allowedActions.includes("strike") && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onStrike(id)}>
          Strike out
        </Button>
      )}
    </Group>
  )
}

function NoteHead({ note: { kind, direction, person, contact, happenedOn, struckAt } }: { note: Note }) {
  return (
    <>
      <strong>
        {direction ? `${noteDirectionNames[direction]} ${noteKindNames[kind].toLowerCase()}` : noteKindNames[kind]}
      </strong>
      {person && (
        <span>
          {direction === "in" ? "from" : "to"} {person}
          {contact && `, ${contact}`}, <DayText day={happenedOn} />
        </span>
      )}
      {struckAt && <StatusBadge status="cancelled" label="Struck out" />}
    </>
  )
}

function FollowUpText({ note: { followedUpAt, followedUpBy }, day }: { note: Note; day: Day }) {
  const { today } = useDisplay()
  if (followedUpAt)
    return (
      <span>
        Followed up on <InstantText at={followedUpAt} show="day" />, {followedUpBy}
      </span>
    )
  return (
    <span className={classes.followUp} data-due={day <= today || undefined}>
      Follow up on <DayText day={day} />
    </span>
  )
}
