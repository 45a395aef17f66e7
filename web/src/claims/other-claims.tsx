import { Anchor } from "@mantine/core"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { Link } from "@tanstack/react-router"
import { DayText } from "../ui/day.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import { MoneyText } from "../ui/money.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { claimLink, claimTypeName } from "./claim-table.tsx"
import classes from "./claims.module.css"

export function OtherClaims({ claims }: { claims: ClaimDetail["otherClaims"] }) {
  if (claims.length === 0) return <p className={classes.quiet}>This member has no other claims.</p>
  return (
    <ul className={classes.checks}>
      {claims.map((claim) => (
        <li key={claim.id} className={classes.check}>
          <div className={classes.checkTitle}>
            <Anchor renderRoot={(props) => <Link {...props} {...claimLink(claim)} />}>
              <DocumentNumber>{claim.number}</DocumentNumber>
            </Anchor>
            <StatusBadge status={claim.status} />
          </div>
          <div className={classes.quiet}>
            {claim.person}: {claim.benefit ?? "No benefit"}, {claimTypeName(claim.claimType).toLowerCase()} on{" "}
            <DayText day={claim.incidentOn} />: <MoneyText cents={claim.amountCents} />
            {claim.counts && ", counted against the maximum cover"}
          </div>
        </li>
      ))}
    </ul>
  )
}
