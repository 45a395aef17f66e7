import { createFileRoute, linkOptions, Outlet, useLocation } from "@tanstack/react-router"
import { Fragment } from "react"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { PageTabs } from "../../ui/page-tabs.tsx"

export const Route = createFileRoute("/_app/settings")({
  staticData: { permission: "settings.manage" },
  component: SettingsPage,
})

const tabs = [
  { label: "General", link: linkOptions({ to: "/settings" }) },
  { label: "Users", link: linkOptions({ to: "/settings/users" }) },
  { label: "Email", link: linkOptions({ to: "/settings/email" }) },
  { label: "Security", link: linkOptions({ to: "/settings/security" }) },
]

/** The head of all settings pages; each tab is a page of its own. */
function SettingsPage() {
  const { pathname } = useLocation()
  const path = pathname.replace(/\/$/, "")
  // Tabs that are lists fill the window as every list does.
  const Frame = /\/(users|email)$/.test(path) ? ListPage : Fragment
  return (
    <Frame>
      <PageHeader title="System Settings" />
      <PageTabs
        label="System Settings"
        tabs={tabs.map(({ label, link }) => ({
          label,
          link,
          active: link.to === "/settings" ? path === link.to : path.startsWith(link.to),
        }))}
      />
      <Outlet />
    </Frame>
  )
}
