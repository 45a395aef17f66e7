import { ActionIcon, Button, Group, Loader } from "@mantine/core"
import { IconChevronDown, IconChevronLeft, IconChevronRight } from "@tabler/icons-react"
import { Link, type LinkProps, useNavigate } from "@tanstack/react-router"
import { isValidElement, type ReactNode, useRef } from "react"
import { useKeys } from "../platform/keyboard.ts"
import { allowBreaks } from "./breakable.tsx"
import { useDelayedFlag } from "./data-table/table-states.tsx"
import type { RowAction } from "./data-table/types.ts"
import { BackLink, usePageName } from "./page-header.tsx"
import { PageTabs } from "./page-tabs.tsx"
import { ActionMenu } from "./popups.tsx"
import classes from "./record-page.module.css"
import { EditingProvider, useEditing } from "./section-group.tsx"
import { readTrail } from "./trail.ts"

interface RecordTab {
  value: string
  label: string
  count?: number | undefined
  content?: ReactNode
  link?: LinkProps
}

interface RecordPageProps {
  /** `name` of each `DataTable` that lists these records; enables previous and next. */
  list: string | readonly string[]
  id: string
  back: LinkProps & { label: string }
  number?: string
  title: ReactNode
  name?: string
  subtitle?: ReactNode
  badge?: ReactNode
  amount?: ReactNode
  /** A `Button`; absent if the user may not act. */
  primary?: ReactNode
  actions?: RowAction[]
  tabs?: RecordTab[]
  tab?: string
  children?: ReactNode
  figures?: ReactNode
  side?: ReactNode
}

/**
 * The page of one record, with previous and next in the list it was opened from ([ and ]). While a section is edited
 * the header shows Cancel and Save Changes.
 *
 *     <RecordPage list="claims" id={claim.id} back={{ to: "/claims", label: "Back to Claims" }}
 *       number={claim.number} title={claim.memberName} badge={<StatusBadge status={claim.status} />}
 *       primary={may("submit") && <Button onClick={…}>Submit claim</Button>}
 *       actions={[{ label: "Reject claim", danger: true, onClick: … }]}
 *       tab={tab} tabs={[{ value: "details", label: "Details", content: <Details /> }, …]}
 *       side={<><SidePanel title="Summary">…</SidePanel><SidePanel title="Activity"><Timeline … /></SidePanel></>}
 *     />
 */
export function RecordPage(props: RecordPageProps) {
  return (
    <EditingProvider key={props.id}>
      <RecordBody {...props} />
    </EditingProvider>
  )
}

function RecordBody(props: RecordPageProps) {
  const { number, title, subtitle, badge, amount, tabs, tab, children, side } = props
  usePageName(props.name ?? number)
  const active = tabs?.find((each) => each.value === tab) ?? tabs?.[0]
  return (
    <div>
      <header className={classes.header}>
        <TrailLink {...props} />
        <div className={classes.words}>
          <div className={classes.line}>
            <h1 className={classes.title}>
              {number && <span className={classes.number}>{number}</span>}
              <span>{title}</span>
            </h1>
            <div className={classes.state}>
              {amount !== undefined && <div className={classes.amount}>{amount}</div>}
              {badge}
            </div>
          </div>
          {subtitle && <div className={classes.subtitle}>{subtitle}</div>}
        </div>
        <HeaderActions primary={props.primary} actions={props.actions ?? []}>
          <NeighbourLinks {...props} />
        </HeaderActions>
      </header>
      {props.figures}
      {tabs && tabs.length > 1 && (
        <PageTabs
          label="Sections of this record"
          tabs={tabs.map(({ value, label, count, link }) => ({
            label,
            count,
            active: value === active?.value,
            link: link ?? {
              to: ".",
              search: (before: object) => ({ ...before, tab: value }) as never,
              replace: true,
              resetScroll: false,
            },
          }))}
        />
      )}
      <div className={classes.columns} data-side={side ? true : undefined}>
        <div className={classes.main}>
          {active?.content}
          {children}
        </div>
        {side && <aside className={classes.side}>{side}</aside>}
      </div>
    </div>
  )
}

function TrailLink({ list, id, back }: RecordPageProps) {
  const trail = readTrail([list].flat(), id)
  if (!trail) return <BackLink {...back} />
  const { many } = trail
  const label = trail.list.to === back.to ? back.label : `Back to ${many.charAt(0).toUpperCase()}${many.slice(1)}`
  return <BackLink {...back} {...trail.list} label={label} />
}

/** Previous and next in the list that the record was opened from, also with [ and ]. */
export function NeighbourLinks({ list, id }: Pick<RecordPageProps, "list" | "id">) {
  const trail = readTrail([list].flat(), id)
  const navigate = useNavigate()
  const go = (link: LinkProps | undefined) =>
    link ? () => void navigate(link as Parameters<typeof navigate>[0]) : undefined
  useKeys({ "[": go(trail?.previous), "]": go(trail?.next) })
  if (!trail || (!trail.previous && !trail.next)) return null
  return (
    <Group gap={0} wrap="nowrap">
      <NeighbourLink link={trail.previous} label={`Previous in ${trail.many}`}>
        <IconChevronLeft size={16} />
      </NeighbourLink>
      <NeighbourLink link={trail.next} label={`Next in ${trail.many}`}>
        <IconChevronRight size={16} />
      </NeighbourLink>
    </Group>
  )
}

function NeighbourLink({ link, label, children }: { link: LinkProps | undefined; label: string; children: ReactNode }) {
  if (!link) {
    return (
      <ActionIcon size={32} disabled aria-label={label}>
        {children}
      </ActionIcon>
    )
  }
  return (
    <ActionIcon size={32} aria-label={label} title={label} renderRoot={(props) => <Link {...props} {...link} />}>
      {children}
    </ActionIcon>
  )
}

function HeaderActions(props: { primary: ReactNode; actions: RowAction[]; children: ReactNode }) {
  const { primary, actions, children } = props
  const editing = useEditing()?.current
  const place = useRef<HTMLSpanElement>(null)
  // While a section is edited, its editor handles Ctrl+Enter.
  useKeys({ "mod+Enter": () => place.current?.querySelector<HTMLElement>("a, button")?.click() }, Boolean(primary))
  if (editing?.done) {
    return (
      <Group gap="xs" className={classes.actions} data-editing>
        <Button onClick={editing.done}>Done</Button>
      </Group>
    )
  }
  if (editing) {
    return (
      <Group gap="xs" className={classes.actions} data-editing>
        <Button variant="default" onClick={editing.cancel} disabled={editing.busy}>
          Cancel
        </Button>
        <Button onClick={editing.save} loading={editing.busy}>
          Save Changes
        </Button>
      </Group>
    )
  }
  return (
    <Group gap="xs" className={classes.actions}>
      {children}
      {actions.length > 0 && (
        <ActionMenu
          button={
            <Button variant="default" aria-haspopup="menu" rightSection={<IconChevronDown size={14} aria-hidden />}>
              More
            </Button>
          }
          actions={actions}
        />
      )}
      {primary && (
        <span ref={place} style={{ display: "contents" }}>
          {primary}
        </span>
      )}
    </Group>
  )
}

interface SidePanelProps {
  title: string
  /** For links with this hash. */
  id?: string
  children: ReactNode
}

export function SidePanel({ title, id, children }: SidePanelProps) {
  return (
    <section className={classes.panel} id={id}>
      <h2 className={classes.panelTitle}>{title}</h2>
      {children}
    </section>
  )
}

/** Rows without a value are left out. */
/** Rows with the same label need values with keys of their own. */
export function FactList({ rows }: { rows: [label: string, value: ReactNode][] }) {
  return (
    <dl className={classes.facts}>
      {rows
        .filter(([, value]) => value !== undefined && value !== null && value !== false)
        .map(([label, value]) => (
          <div key={isValidElement(value) && value.key !== null ? value.key : label}>
            <dt>{label}</dt>
            <dd>{allowBreaks(value)}</dd>
          </div>
        ))}
    </dl>
  )
}

export function RecordLoading({ words = "Loading..." }: { words?: string }) {
  const late = useDelayedFlag(true)
  return (
    <div className={classes.loading} role="status" style={{ opacity: late ? 1 : 0 }}>
      <Loader />
      <span>{words}</span>
    </div>
  )
}
