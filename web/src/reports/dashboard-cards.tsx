import type { Day } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import type { PermissionName } from "@milkwood/domain/platform/permission"
import { comparisonOn, type DashboardCard } from "@milkwood/domain/reports/dashboard"
import type { Figure } from "@milkwood/domain/reports/reports.contract"
import { IconArrowDownRight, IconArrowUpRight } from "@tabler/icons-react"
import type { LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useDisplay } from "../ui/display.tsx"
import { MoneyText } from "../ui/money.tsx"
import type { SummaryCard } from "../ui/summary-cards.tsx"
import classes from "./dashboard.module.css"

interface CardDefinition {
  card: DashboardCard
  label: string
  money?: boolean
  /** The list whose total equals the figure. */
  link: (reader: CardContext) => LinkProps
}

interface CardContext {
  can: (permission: PermissionName) => boolean
  today: Day
}

const cardDefinitions: CardDefinition[] = [
  { card: "activePolicies", label: "Active policies", link: () => ({ to: "/policies", search: { tab: "Active" } }) },
  { card: "totalMembers", label: "Total members", link: () => ({ to: "/members", search: { tab: "Active" } }) },
  { card: "pendingClaims", label: "Pending claims", link: () => ({ to: "/claims", search: { tab: "pending" } }) },
  {
    card: "outstandingPremiums",
    label: "Outstanding premiums",
    money: true,
    link: ({ can }) =>
      can("reports.financial") ? { to: "/reports/debtors-ageing" } : { to: "/invoices", search: { tab: "unpaid" } },
  },
  {
    card: "claimsProcessed",
    label: "Claims processed",
    link: ({ today }) => ({ to: "/claims", search: { decidedFrom: comparisonOn(today).from } }),
  },
  { card: "overduePayments", label: "Overdue payments", link: () => ({ to: "/invoices", search: { tab: "overdue" } }) },
]

export function dashboardCardsOf(
  figures: Record<DashboardCard, Figure> | undefined,
  reader: CardContext,
): SummaryCard[] {
  return cardDefinitions.map(({ card, label, money, link }) => {
    const figure = figures?.[card]
    return {
      label,
      link: link(reader),
      value: figure && (money ? <MoneyText cents={figure.now} /> : figure.now),
      hint: figure ? (
        <span className={classes.hint}>
          <FigureChange figure={figure} money={money ?? false} />
          <Sparkline months={figure.months} />
        </span>
      ) : (
        " "
      ),
    }
  })
}

export function FigureChange({ figure, money }: { figure: Figure; money: boolean }): ReactNode {
  const { currency } = useDisplay()
  const { now, before, changePercent } = figure
  if (changePercent === null) return now === 0 ? "No change (0 last month)" : "0 last month"
  if (now === before) return "Same as last month"
  const Arrow = now > before ? IconArrowUpRight : IconArrowDownRight
  return (
    <span className={classes.change} title={`${money ? formatMoney(before, currency) : before} last month`}>
      <Arrow size={14} aria-hidden />
      {changePercent === 0
        ? `Slightly ${now > before ? "up" : "down"}`
        : `${now > before ? "+" : "−"}${Math.abs(changePercent)} % on last month`}
    </span>
  )
}

const sparklineSize = { width: 100, height: 20, edge: 2 }

/** Skips months without a stored figure; the change is also given as text. */
export function Sparkline({ months }: Pick<Figure, "months">) {
  const known = months.flatMap((figure, place) => (figure === null ? [] : [{ figure, place }]))
  if (known.length < 2) return null
  const figures = known.map(({ figure }) => figure)
  const [least, most] = [Math.min(0, ...figures), Math.max(...figures)]
  const { width, height, edge } = sparklineSize
  const points = known.map(({ figure, place }) => {
    const high = most === least ? 0 : (figure - least) / (most - least)
    return `${(place * width) / (months.length - 1)},${height - edge - high * (height - 2 * edge)}`
  })
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: The text beside the chart states the same figures.
    <svg className={classes.spark} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
      <polyline points={points.join(" ")} />
    </svg>
  )
}
