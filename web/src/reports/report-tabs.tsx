import { linkOptions } from "@tanstack/react-router"
import { PageTabs } from "../ui/page-tabs.tsx"

const tabs = [
  { key: "available", label: "Available Reports", link: linkOptions({ to: "/reports" }) },
  { key: "mine", label: "My Reports", link: linkOptions({ to: "/reports/mine" }) },
  { key: "scheduled", label: "Scheduled Reports", link: linkOptions({ to: "/reports/scheduled" }) },
  { key: "generated", label: "Generated", link: linkOptions({ to: "/reports/generated" }) },
] as const

export const ReportTabs = ({ at }: { at: (typeof tabs)[number]["key"] }) => (
  <PageTabs label="Reports" tabs={tabs.map(({ key, label, link }) => ({ label, link, active: key === at }))} />
)
