import { UnstyledButton } from "@mantine/core"
import { IconChevronDown } from "@tabler/icons-react"
import { Link, useRouterState } from "@tanstack/react-router"
import { lazy, Suspense, useId, useState } from "react"
import { useRememberedState } from "../ui/remembered.ts"
import { type GroupName, groups, type NavigationEntry } from "./navigation.ts"
import classes from "./sidebar.module.css"
import { useNavigation } from "./use-navigation.ts"

const RailGroup = lazy(() => import("./rail-group.tsx"))

type Item = NavigationEntry | { group: GroupName; entries: NavigationEntry[] }

function sidebarItemsOf(entries: NavigationEntry[]): Item[] {
  const items: Item[] = []
  for (const entry of entries) {
    const { group } = entry
    if (!group) {
      items.push(entry)
      continue
    }
    const known = items.find(
      (item): item is Extract<Item, { entries: unknown }> => "entries" in item && item.group === group,
    )
    if (known) known.entries.push(entry)
    else items.push({ group, entries: [entry] })
  }
  return items
}

function useActivePath(entries: NavigationEntry[]): string | undefined {
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  return entries
    .filter(({ path }) => pathname === path || (path !== "/" && pathname.startsWith(`${path}/`)))
    .sort((a, b) => b.path.length - a.path.length)[0]?.path
}

export function Sidebar({ rail }: { rail: boolean }) {
  const entries = useNavigation()
  const active = useActivePath(entries)
  const [open, setOpen] = useRememberedState<GroupName[]>("open-groups", ["policies"])
  const current = entries.find(({ path }) => path === active)?.group
  // The current page's group is open until the user closes it; the closing is not remembered.
  const [closed, setClosed] = useState<GroupName>()
  const isOpen = (group: GroupName) => (group === current ? closed !== group : open.includes(group))
  const toggle = (group: GroupName) => {
    if (group === current) setClosed(isOpen(group) ? group : undefined)
    setOpen(isOpen(group) ? open.filter((other) => other !== group) : [...new Set([...open, group])])
  }
  return (
    <nav aria-label="Main" className={classes.nav} data-rail={rail || undefined}>
      <ul className={classes.list}>
        {sidebarItemsOf(entries).map((item) =>
          "entries" in item ? (
            rail ? (
              <Suspense key={item.group}>
                <RailGroup {...item} active={active} />
              </Suspense>
            ) : (
              <Group
                key={item.group}
                {...item}
                active={active}
                open={isOpen(item.group)}
                onToggle={() => toggle(item.group)}
              />
            )
          ) : (
            <li key={item.path}>
              <SidebarLink entry={item} rail={rail} active={item.path === active} />
            </li>
          ),
        )}
      </ul>
    </nav>
  )
}

function SidebarLink({ entry, rail, active }: { entry: NavigationEntry; rail: boolean; active: boolean }) {
  const Icon = entry.icon
  return (
    <Link
      to={entry.path}
      className={classes.entry}
      data-active={active || undefined}
      aria-current={active ? "page" : undefined}
      aria-label={rail ? entry.label : undefined}
      title={rail ? entry.label : undefined}
    >
      {Icon && <Icon size={18} stroke={1.7} />}
      {!rail && <span className={classes.label}>{entry.label}</span>}
    </Link>
  )
}

export interface GroupProps {
  group: GroupName
  entries: NavigationEntry[]
  active: string | undefined
}

function Group({ group, entries, active, open, onToggle }: GroupProps & { open: boolean; onToggle: () => void }) {
  const { label, icon: Icon } = groups[group]
  const id = useId()
  const within = entries.some(({ path }) => path === active)
  return (
    <li>
      <UnstyledButton
        className={classes.entry}
        aria-expanded={open}
        aria-controls={id}
        data-within={(within && !open) || undefined}
        onClick={onToggle}
      >
        <Icon size={18} stroke={1.7} />
        <span className={classes.label}>{label}</span>
        <IconChevronDown size={14} className={classes.chevron} data-open={open || undefined} aria-hidden />
      </UnstyledButton>
      <ul id={id} className={classes.children} hidden={!open}>
        {(open ? entries : []).map((entry) => (
          <li key={entry.path}>
            <Link
              to={entry.path}
              className={classes.entry}
              data-active={entry.path === active || undefined}
              aria-current={entry.path === active ? "page" : undefined}
            >
              <span className={classes.label}>{entry.label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </li>
  )
}
