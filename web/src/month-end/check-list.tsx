import { type Day, isoMonthOf, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { type CheckFigure, type CheckKey, checkTitles, moneyCheckKeys } from "@milkwood/domain/month-end/checklist"
import type { CheckRow } from "@milkwood/domain/month-end/month-end.contract"
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react"
import { Link, type LinkProps, linkOptions } from "@tanstack/react-router"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { MoneyText } from "../ui/money.tsx"
import classes from "./month-end.module.css"

function checkLinksOf(key: CheckKey, month: Day): (LinkProps & { label: string })[] {
  const last = lastOfMonth(month)
  const of = isoMonthOf(month)
  switch (key) {
    case "billed":
      return [{ label: "Policies", ...linkOptions({ to: "/finance/month-end/policies", search: { month: of } }) }]
    case "sent":
      return [
        { label: "Drafts", ...linkOptions({ to: "/invoices", search: { tab: "drafts", invoicedTo: last } }) },
        {
          label: "Pending",
          ...linkOptions({ to: "/invoices", search: { tab: "all", status: "pending", invoicedTo: last } }),
        },
      ]
    case "statements":
      return [{ label: "Statements", ...linkOptions({ to: "/invoices/reconciliation/statements" }) }]
    case "lines":
      return [
        {
          label: "Lines to match",
          ...linkOptions({ to: "/invoices/reconciliation/lines", search: { tab: "open", bookedTo: last } }),
        },
      ]
    case "receipts":
      return [{ label: "Credit", ...linkOptions({ to: "/finance/month-end/credits", search: { month: of } }) }]
    case "payouts":
      return [
        {
          label: "Payments in processing",
          ...linkOptions({ to: "/finance/claims-payments", search: { tab: "processing" } }),
        },
      ]
    case "debtors":
      return [
        { label: "Ledger", ...accountLink("premium_debtors", last) },
        { label: "Debtors' ageing", ...linkOptions({ to: "/reports/debtors-ageing", search: { asOf: last } }) },
      ]
    case "deferred":
      return [{ label: "Ledger", ...accountLink("unearned_premium", last) }]
    case "reserves":
      return [
        { label: "Ledger", ...accountLink("claims_outstanding", last) },
        {
          label: "Reserves by month",
          ...linkOptions({
            to: "/reports/$report",
            params: { report: "claim-reserves" },
            search: { from: month, to: last },
          }),
        },
      ]
    case "bank":
      return [
        { label: "Bank reconciliation", ...linkOptions({ to: "/finance/month-end/bank", search: { month: of } }) },
        { label: "Ledger", ...accountLink("bank", last) },
      ]
    case "vat":
      return [
        { label: "Ledger", ...accountLink("vat_output", last) },
        { label: "VAT for the month", ...linkOptions({ to: "/finance/month-end/vat", search: { month: of } }) },
      ]
  }
}

const accountLink = (account: string, asOf: Day) =>
  linkOptions({ to: "/finance/trial-balance/$account", params: { account }, search: { asOf } })

const formatFigure = ({ kind, value }: CheckFigure) => (kind === "cents" ? <MoneyText cents={value} /> : value)

export function CheckList({ month, checks }: { month: Day; checks: readonly CheckRow[] }) {
  return (
    <ul className={classes.checks} aria-label="Checklist">
      {checks.map((check) => (
        <li
          key={check.key}
          className={classes.check}
          data-done={check.isDone}
          data-money={moneyCheckKeys.includes(check.key) && !check.isUnproved}
        >
          {check.isDone ? (
            <IconCircleCheck size={18} className={classes.icon} role="img" aria-label="Done" />
          ) : (
            <IconAlertTriangle size={18} className={classes.icon} role="img" aria-label="Not done" />
          )}
          <h2 className={classes.title}>{checkTitles[check.key]}</h2>
          <div className={classes.places}>
            {checkLinksOf(check.key, month).map(({ label, ...link }) => (
              <Link key={label} {...link} aria-label={`${label}: ${checkTitles[check.key]}`}>
                {label}
              </Link>
            ))}
          </div>
          <dl className={classes.figures}>
            {check.figures.map((figure) => (
              <div key={figure.label}>
                <dt>{figure.label}</dt>
                <dd>{formatFigure(figure)}</dd>
              </div>
            ))}
          </dl>
          {(check.notes.length > 0 || check.reason !== null) && (
            <ul className={classes.notes}>
              {check.notes.map((note) => (
                <li key={note}>{keepNumbersUnbroken(note)}</li>
              ))}
              {check.reason !== null && <li>Closed with this check open: {check.reason}</li>}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}
