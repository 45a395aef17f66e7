import { Button, Group } from "@mantine/core"
import type { PermissionName } from "@milkwood/domain/platform/permission"
import { chartsOfRole } from "@milkwood/domain/reports/dashboard"
import { IconFileInvoice, IconFileUpload, IconPlus, IconUserPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, type LinkProps } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react"
import { api } from "../../platform/api.ts"
import { useSession } from "../../platform/session.ts"
import { useDisplay } from "../../ui/display.tsx"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import classes from "../dashboard.module.css"
import { dashboardCardsOf } from "../dashboard-cards.tsx"
import { NeedsYou, useNeeds } from "../needs-you.tsx"

const Activity = lazy(() => import("../activity.tsx"))
const EmployerPanel = lazy(() => import("../employer-panel.tsx"))
const SetUpOffer = lazy(() => import("../../settings/set-up-offer.tsx"))
const DashboardCharts = lazy(() => import("../dashboard-charts.tsx"))

export const Route = createFileRoute("/_app/")({
  staticData: { permission: "dashboard.read" },
  component: DashboardPage,
})

interface QuickAction {
  label: string
  icon: ReactNode
  permission: PermissionName
  link: LinkProps
}

const quickActions: QuickAction[] = [
  { label: "New policy", icon: <IconPlus size={16} />, permission: "policies.write", link: { to: "/policies/new" } },
  { label: "Add member", icon: <IconUserPlus size={16} />, permission: "members.write", link: { to: "/members/new" } },
  {
    label: "Import staff list",
    icon: <IconFileUpload size={16} />,
    permission: "members.import",
    link: { to: "/members/import" },
  },
  { label: "New claim", icon: <IconPlus size={16} />, permission: "claims.capture", link: { to: "/claims/new" } },
  {
    label: "Generate invoice",
    icon: <IconFileInvoice size={16} />,
    permission: "invoices.write",
    link: { to: "/invoices/generate" },
  },
]

function DashboardPage() {
  const { user, can } = useSession()
  const { today } = useDisplay()
  const figures = useQuery(api.reports.dashboard.queryOptions({ input: {} }))
  const needs = useNeeds()
  const activity = useQuery(api.reports.recentActivity.queryOptions({ input: { limit: 15 } }))
  const isIdle = useIdle()
  const places = (
    <div className={`${classes.charts} ${classes.below}`}>
      {(user.role ? chartsOfRole[user.role] : []).map((chart) => (
        <div key={chart} className={`${classes.panel} ${classes.chartWaits}`} />
      ))}
    </div>
  )
  const hasWork = needs.data !== undefined && needs.data.length > 0
  const work = (
    <section className={classes.panel} aria-labelledby="needs">
      <h2 id="needs" className={classes.heading}>
        Needs you
      </h2>
      <NeedsYou needs={needs} />
    </section>
  )
  const actions = quickActions.filter(({ permission }) => can(permission))
  return (
    <>
      <PageHeader title="Dashboard" subtitle={`Good to see you, ${user.name.split(" ")[0]}.`} />
      {can("setUp.read") && (
        <Suspense>
          <SetUpOffer />
        </Suspense>
      )}
      {figures.isError && !figures.data ? (
        <LoadFailed
          error={figures.error}
          onRetry={figures.refetch}
          busy={figures.isFetching}
          title="Failed to load the figures"
        />
      ) : (
        <SummaryCards cards={dashboardCardsOf(figures.data, { can, today })} />
      )}
      <div className={classes.columns}>
        <div className={classes.stack}>
          {hasWork && work}
          {(user.role === "group_admin" || user.role === "policy_holder") && (
            <Suspense>
              <EmployerPanel />
            </Suspense>
          )}
          {!hasWork && work}
        </div>
        {actions.length > 0 && (
          <section className={`${classes.panel} ${classes.quick}`} aria-labelledby="quick">
            <h2 id="quick" className={classes.heading}>
              Quick actions
            </h2>
            <Group gap="xs" className={classes.actions}>
              {actions.map(({ label, icon, link }) => (
                <Button
                  key={label}
                  variant="default"
                  leftSection={icon}
                  justify="flex-start"
                  fullWidth
                  renderRoot={(props) => <Link {...props} {...link} />}
                >
                  {label}
                </Button>
              ))}
            </Group>
          </section>
        )}
      </div>
      <Suspense fallback={places}>{isIdle ? <DashboardCharts /> : places}</Suspense>
      <section className={`${classes.panel} ${classes.below}`} aria-labelledby="recent">
        <h2 id="recent" className={classes.heading}>
          Recent activity
        </h2>
        {isIdle && (
          <Suspense>
            <Activity query={activity} />
          </Suspense>
        )}
      </section>
    </>
  )
}

/** True after first paint and idle. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const begin = () => setIdle(true)
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(begin, 200)
      return () => clearTimeout(timer)
    }
    let asked = 0
    // The idle callback may run before first paint.
    const seen = new PerformanceObserver((entries) => {
      if (entries.getEntriesByName("first-contentful-paint").length === 0) return
      seen.disconnect()
      asked = requestIdleCallback(begin, { timeout: 2_000 })
    })
    seen.observe({ type: "paint", buffered: true })
    return () => {
      seen.disconnect()
      cancelIdleCallback(asked)
    }
  }, [])
  return isIdle
}
