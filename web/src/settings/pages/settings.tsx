import { createFileRoute, linkOptions, Outlet, useLocation } from "@tanstack/react-router"
import { Fragment } from "react"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { PageTabs } from "../../ui/page-tabs.tsx"

export const Route = createFileRoute("/_app/settings")({
  staticData: { permission: "settings.manage" },
  component: SettingsPage,
})

/** A list fills the window; a mail opened from the list does not. */
const tabs = [
  { label: "General", link: linkOptions({ to: "/settings" }), frame: Fragment },
  { label: "Users", link: linkOptions({ to: "/settings/users" }), frame: ListPage },
  { label: "Notifications", link: linkOptions({ to: "/settings/notifications" }), frame: Fragment },
  { label: "Email", link: linkOptions({ to: "/settings/email" }), frame: ListPage },
  { label: "Security", link: linkOptions({ to: "/settings/security" }), frame: Fragment },
  { label: "Documents", link: linkOptions({ to: "/settings/documents" }), frame: Fragment },
  { label: "Integrations", link: linkOptions({ to: "/settings/integrations" }), frame: Fragment },
]

function SettingsPage() {
  const { pathname, hash } = useLocation()
  const path = pathname.replace(/\/$/, "")
  // Only the first part of Settings, Email is a list; the others have a hash.
  const Frame = (hash === "" && tabs.find(({ link }) => link.to === path)?.frame) || Fragment
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
