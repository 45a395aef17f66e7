import { linkOptions, useLocation } from "@tanstack/react-router"
import { PageTabs } from "../ui/page-tabs.tsx"

const tabs = [
  { label: "Outbox", link: linkOptions({ to: "/settings/email" }) },
  { label: "Templates", link: linkOptions({ to: "/settings/email/templates" }) },
  { label: "Mail server", link: linkOptions({ to: "/settings/email/server" }) },
]

/** The pages of Settings, Email. */
export function EmailTabs() {
  const { pathname } = useLocation()
  const path = pathname.replace(/\/$/, "")
  return <PageTabs label="Email" tabs={tabs.map((tab) => ({ ...tab, active: tab.link.to === path }))} />
}
