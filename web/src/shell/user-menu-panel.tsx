import { Menu, useMantineColorScheme } from "@mantine/core"
import { IconLogout, IconSettings, IconUser } from "@tabler/icons-react"
import { Link, useRouter } from "@tanstack/react-router"
import { useSession } from "../platform/session.ts"
import type { PopupProps } from "../ui/lazy-popup.tsx"
import { RoleBadge } from "../users/role-badge.tsx"
import { useLogOut } from "../users/use-log-out.ts"
import { useNavigation } from "./use-navigation.ts"
import classes from "./user-menu.module.css"

export default function UserMenuPanel({ button, opened, onChange }: PopupProps) {
  const { user } = useSession()
  const logOut = useLogOut()
  const settings = useNavigation().find((entry) => entry.path === "/settings")
  const hasProfile = "/profile" in useRouter().routesByPath
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu width={260} opened={opened} onChange={onChange}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <div className={classes.name}>{user.name}</div>
          <div className={classes.email}>{user.email}</div>
          <RoleBadge role={user.role} />
        </div>
        <Menu.Divider />
        {hasProfile && (
          <Menu.Item leftSection={<IconUser size={16} />} renderRoot={(props) => <Link {...props} to={profilePath} />}>
            Profile
          </Menu.Item>
        )}
        {settings && (
          <Menu.Item
            leftSection={<IconSettings size={16} />}
            renderRoot={(props) => <Link {...props} to={settings.path} />}
          >
            Settings
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
          {appearances.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void logOut()}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const profilePath: string = "/profile"

const appearances = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
] as const
