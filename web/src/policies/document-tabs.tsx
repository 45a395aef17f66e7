import { linkOptions, useLocation } from "@tanstack/react-router"
import { PageTabs } from "../ui/page-tabs.tsx"

const tabs = [
  { label: "Uploaded", link: linkOptions({ to: "/policies/documents" }) },
  { label: "Required", link: linkOptions({ to: "/policies/documents/required" }) },
]

export function DocumentTabs({ missing }: { missing: number | undefined }) {
  const { pathname } = useLocation()
  return (
    <PageTabs
      label="Policy Documents"
      tabs={tabs.map(({ label, link }) => ({
        label,
        link,
        active: pathname.replace(/\/$/, "") === link.to,
        ...(label === "Required" && { count: missing }),
      }))}
    />
  )
}
