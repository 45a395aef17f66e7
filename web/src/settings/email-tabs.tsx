import { linkOptions } from "@tanstack/react-router"
import { PageTabs } from "../ui/page-tabs.tsx"

/** Tabs by URL hash; routes would add their names to every first page load. */
const emailTabs = [
  { label: "Outbox", hash: "" },
  { label: "Templates", hash: "templates" },
  { label: "Mail server", hash: "server" },
]

export function EmailTabs({ hash }: { hash: string }) {
  return (
    <PageTabs
      label="Email"
      tabs={emailTabs.map(({ label, hash: own }) => ({
        label,
        link: linkOptions({ to: "/settings/email", ...(own && { hash: own }) }),
        active: own === hash,
      }))}
    />
  )
}
