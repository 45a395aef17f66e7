import { Anchor, Button, Group, Stack } from "@mantine/core"
import { letterKindNames } from "@milkwood/domain/letters/letter"
import type { Letter } from "@milkwood/domain/letters/letter-shape"
import { mailStateNames } from "@milkwood/domain/platform/mail-states"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useSession } from "../platform/session.ts"
import { ContactEntries, ContactEntry } from "../ui/contact-entry.tsx"
import { DayText, InstantText } from "../ui/day.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import { EmptyState } from "../ui/empty-state.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { mailStateLooks } from "../ui/mail-state-looks.ts"
import { RecordLoading, SidePanel } from "../ui/record-page.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { type LetterPlace, letterHref, lettersQuery } from "./letters.api.ts"
import classes from "./letters.module.css"

const WriteLetterDialog = lazy(() => import("./write-letter-dialog.tsx"))
const SendLetterDialog = lazy(() => import("./send-letter-dialog.tsx"))

type Opened = { act: "write" } | { act: "send"; letter: Letter }

/**
 * The letters about a claim, member or policy, newest first, for the insurer's staff.
 *
 *     <LettersPanel record="claim" recordId={claim.id} />
 */
export function LettersPanel(place: LetterPlace) {
  const { can } = useSession()
  const found = useQuery(lettersQuery(place))
  const [open, setOpen] = useState<Opened>()
  // A saved dialog closes after its answer, when another one may be open already.
  const closeOf = (act: Opened["act"]) => () => setOpen((now) => (now?.act === act ? undefined : now))
  if (found.isPending) return <RecordLoading words="Loading letters..." />
  if (!found.data)
    return (
      <LoadFailed title="Failed to load letters" error={found.error} onRetry={found.refetch} busy={found.isFetching} />
    )
  const { letters, choices } = found.data
  const canWrite = can("letters.write")
  const write = canWrite && choices.length > 0 && (
    <Button onClick={() => setOpen({ act: "write" })}>Write letter</Button>
  )
  return (
    <SidePanel title="Letters">
      {letters.length === 0 ? (
        <EmptyState title="No letters yet" action={write}>
          {canWrite && choices.length === 0
            ? `No letter can be written about this ${place.record} at its present status.`
            : `Letters about this ${place.record} appear here with their PDF, newest first.`}
        </EmptyState>
      ) : (
        <Stack gap="md">
          {write && <Group>{write}</Group>}
          <ContactEntries label="Letters">
            {letters.map((letter) => (
              <ContactEntry
                key={letter.id}
                head={
                  <>
                    <strong>{letterKindNames[letter.kind]}</strong>
                    <DocumentNumber>{letter.number}</DocumentNumber>
                    <DayText day={letter.on} />
                  </>
                }
                by={
                  <>
                    Written on <InstantText at={letter.writtenAt} />, {letter.writtenBy}
                  </>
                }
                actions={
                  <LetterActions
                    letter={letter}
                    onSend={canWrite ? () => setOpen({ act: "send", letter }) : undefined}
                  />
                }
              >
                <LetterMails letter={letter} />
              </ContactEntry>
            ))}
          </ContactEntries>
        </Stack>
      )}
      <Suspense>
        {open?.act === "write" && <WriteLetterDialog place={place} choices={choices} onClose={closeOf("write")} />}
        {open?.act === "send" && <SendLetterDialog letter={open.letter} onClose={closeOf("send")} />}
      </Suspense>
    </SidePanel>
  )
}

function LetterMails({ letter: { mails } }: { letter: Letter }) {
  if (mails.length === 0) return <p className={classes.quiet}>Not sent by e-mail</p>
  return (
    <ul className={classes.mails}>
      {mails.map(({ to, sentAt, sentBy, state }) => (
        <li key={`${to} ${sentAt}`} className={classes.mail}>
          <span>To {to}</span>
          {state && <StatusBadge status={mailStateLooks[state]} label={mailStateNames[state]} />}
          <span className={classes.quiet}>
            <InstantText at={sentAt} />, {sentBy}
          </span>
        </li>
      ))}
    </ul>
  )
}

function LetterActions({ letter, onSend }: { letter: Letter; onSend: (() => void) | undefined }) {
  if (!letter.wording) return <p className={classes.quiet}>The text was erased when the member was anonymised.</p>
  return (
    <Group gap="xs" mt={4}>
      <Anchor
        size="sm"
        href={letterHref(letter)}
        target="_blank"
        rel="noreferrer"
        aria-label={`Open PDF of ${letter.number}`}
      >
        Open PDF
      </Anchor>
      {onSend && (
        <Button size="compact-sm" variant="default" onClick={onSend} aria-label={`Send ${letter.number}`}>
          {letter.mails.length > 0 ? "Send again" : "Send"}
        </Button>
      )}
    </Group>
  )
}
