import { Kbd, Modal } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import type { FoundRecord } from "@milkwood/domain/reports/reports.contract"
import {
  IconArrowRight,
  IconBuilding,
  IconCash,
  IconClipboardHeart,
  IconFileCertificate,
  IconFileInvoice,
  IconFileMinus,
  IconKeyboard,
  IconLogout,
  IconReceipt,
  IconUser,
} from "@tabler/icons-react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { type ComponentType, type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react"
import { api } from "../platform/api.ts"
import { errorTextOf } from "../platform/errors.ts"
import { takeBufferedKeys } from "../platform/keyboard.ts"
import { topZIndex } from "../ui/theme.ts"
import { useLogOut } from "../users/use-log-out.ts"
import { groups } from "./navigation.ts"
import classes from "./palette.module.css"
import { useNavigation } from "./use-navigation.ts"

interface Entry {
  id: string
  section: string
  title: string
  subtitle?: string
  icon: ComponentType<{ size?: number; stroke?: number }>
  run: () => void
}

const icons: Record<FoundRecord["kind"], Entry["icon"]> = {
  group: IconBuilding,
  policy: IconFileCertificate,
  member: IconUser,
  claim: IconClipboardHeart,
  invoice: IconFileInvoice,
  credit_note: IconFileMinus,
  receipt: IconReceipt,
  payout: IconCash,
}

const sections: Record<FoundRecord["kind"], string> = {
  group: "Employers",
  policy: "Policies",
  member: "Members",
  claim: "Claims",
  invoice: "Invoices",
  credit_note: "Credit notes",
  receipt: "Receipts",
  payout: "Payments",
}

const listPathByKind: Record<FoundRecord["kind"], string> = {
  group: "/groups",
  policy: "/policies",
  member: "/members",
  claim: "/claims",
  invoice: "/invoices",
  credit_note: "/invoices/credit-notes",
  receipt: "/finance/receipting",
  payout: "/finance/claims-payments",
}

const maxHitsPerKind = 6

interface PaletteProps {
  opened: boolean
  onClose: () => void
  onKeyMap: () => void
}

export default function Palette({ opened, onClose, onKeyMap }: PaletteProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      zIndex={topZIndex}
      withCloseButton={false}
      centered={false}
      yOffset="12vh"
      size={600}
      padding={0}
      title={<span className="visually-hidden">Search records and pages</span>}
      classNames={{ header: classes.header }}
    >
      <PaletteBody onClose={onClose} onKeyMap={onKeyMap} />
    </Modal>
  )
}

function PaletteBody({ onClose, onKeyMap }: Omit<PaletteProps, "opened">) {
  const [typed, setTyped] = useState("")
  const [at, setAt] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const { found, entries, behind } = usePaletteEntries(typed, onKeyMap)
  const active = Math.min(at, entries.length - 1)
  const run = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  const [wanted, setWanted] = useState(false)
  const runWanted = useEffectEvent(() => run(entries[active]))
  useEffect(() => {
    if (!wanted || behind) return
    setWanted(false)
    runWanted()
  }, [wanted, behind])
  useEffect(() => {
    list.current?.querySelector(`[data-at="${active}"]`)?.scrollIntoView({ block: "nearest" })
  }, [active])
  const onKeyDown = (event: KeyboardEvent) => {
    const next = activeIndexAfter(event.key, active, entries.length)
    if (next !== undefined) {
      event.preventDefault()
      setAt(next)
    } else if (event.key === "Enter") {
      event.preventDefault()
      if (behind && !found.isError) setWanted(true)
      else run(entries[active])
    }
  }
  return (
    <>
      <input
        className={classes.input}
        data-autofocus
        role="combobox"
        aria-expanded={entries.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={entries.length > 0 ? `${id}-${active}` : undefined}
        aria-autocomplete="list"
        aria-label="Search records and pages"
        placeholder="Number, name, ID number, phone, e-mail, or a page"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        maxLength={100}
        onFocus={() => {
          const ahead = takeBufferedKeys()
          if (!ahead) return
          setTyped((before) => before + ahead.text)
          if (ahead.entered) setWanted(true)
        }}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setAt(0)
          setWanted(false)
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="Results" className={classes.list}>
        {entries.map((entry, index) => (
          <div key={entry.id} role="presentation">
            {entries[index - 1]?.section !== entry.section && (
              <div className={classes.section} role="presentation">
                {entry.section}
              </div>
            )}
            <div
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              data-at={index}
              className={classes.entry}
              onMouseMove={() => setAt(index)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => run(entry)}
              onKeyDown={onKeyDown}
            >
              <entry.icon size={16} stroke={1.7} />
              <span className={classes.title}>{entry.title}</span>
              {entry.subtitle && <span className={classes.subtitle}>{entry.subtitle}</span>}
            </div>
          </div>
        ))}
      </div>
      <div className={classes.foot} role="status">
        {found.isError ? (
          <span className={classes.failed}>Failed to search records. {errorTextOf(found.error)}</span>
        ) : entries.length === 0 ? (
          <span>{found.isFetching ? "Searching..." : `Nothing found for “${typed.trim()}”.`}</span>
        ) : (
          <KeyHints />
        )}
      </div>
    </>
  )
}

/** The position after a navigation key, wrapping around. */
function activeIndexAfter(key: string, active: number, count: number): number | undefined {
  const next = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: count - 1 }[key]
  return next === undefined || count === 0 ? undefined : (next + count) % count
}

function KeyHints() {
  return (
    <>
      <span>
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> move
      </span>
      <span>
        <Kbd size="xs">Enter</Kbd> open
      </span>
      <span>
        <Kbd size="xs">Esc</Kbd> close
      </span>
    </>
  )
}

/**
 * Records are listed first. `behind`: the results belong to an earlier text. Enter after a paste must open the match
 * for the pasted number.
 */
function usePaletteEntries(typed: string, onKeyMap: () => void) {
  const text = typed.trim()
  const [asked] = useDebouncedValue(text, 150)
  const found = useQuery({
    ...api.reports.search.queryOptions({ input: { text: asked, limit: maxHitsPerKind } }),
    enabled: asked.length >= 2,
    placeholderData: keepPreviousData,
  })
  const router = useRouter()
  const fixed = useFixedEntries(onKeyMap)
  const records = asked.length >= 2 && text.length >= 2 ? (found.data ?? []) : []
  const entries = records.flatMap((record, index): Entry[] => {
    const { kind } = record
    const one: Entry = {
      ...{ id: `${kind}-${record.id}`, section: sections[kind], icon: icons[kind] },
      ...{ title: record.title, subtitle: record.subtitle, run: () => void router.navigate({ to: record.path }) },
    }
    if (!hasMoreOfKind(records, index)) return [one]
    const all: Entry = {
      ...{ id: `all-${kind}`, section: sections[kind], icon: IconArrowRight },
      title: `All matching ${sections[kind].toLowerCase()}`,
      run: () => void router.navigate({ to: listPathByKind[kind], search: { search: asked } }),
    }
    return [one, all]
  })
  return {
    found,
    entries: [...entries, ...fixed.filter((entry) => matchesTyped(entry, typed))],
    behind: text.length >= 2 && (text !== asked || found.isPlaceholderData || found.isPending),
  }
}

const hasMoreOfKind = (records: FoundRecord[], index: number) =>
  records[index + 1]?.kind !== records[index]?.kind &&
  records[index + 1 - maxHitsPerKind]?.kind === records[index]?.kind

function useFixedEntries(onKeyMap: () => void): (Entry & { words?: string })[] {
  const router = useRouter()
  const logOut = useLogOut()
  const pages = useNavigation().map((entry) => ({
    id: entry.path,
    section: "Pages",
    title: entry.label,
    subtitle: entry.group && groups[entry.group].label,
    icon: entry.icon ?? IconArrowRight,
    words: entry.words,
    run: () => void router.navigate({ to: entry.path }),
  }))
  return [
    ...pages,
    { id: "keys", section: "Actions", title: "Keyboard map", icon: IconKeyboard, words: "shortcuts", run: onKeyMap },
    { id: "out", section: "Actions", title: "Log out", icon: IconLogout, words: "sign out", run: () => void logOut() },
  ]
}

function matchesTyped(entry: Entry & { words?: string }, typed: string): boolean {
  const text = `${entry.title} ${entry.subtitle ?? ""} ${entry.words ?? ""}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
