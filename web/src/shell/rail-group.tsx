import { Menu, UnstyledButton } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { groups } from "./navigation.ts"
import classes from "./sidebar.module.css"
import type { GroupProps } from "./sidebar.tsx"

export default function RailGroup({ group, entries, active }: GroupProps) {
  const { label, icon: Icon } = groups[group]
  const within = entries.some(({ path }) => path === active)
  return (
    <li>
      <Menu position="right-start" offset={8}>
        <Menu.Target>
          <UnstyledButton className={classes.entry} aria-label={label} title={label} data-active={within || undefined}>
            <Icon size={18} stroke={1.7} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{label}</Menu.Label>
          {entries.map((entry) => (
            <Menu.Item key={entry.path} renderRoot={(props) => <Link {...props} to={entry.path} />}>
              {entry.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </li>
  )
}
