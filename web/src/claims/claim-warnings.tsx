import { Anchor } from "@mantine/core"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { Link } from "@tanstack/react-router"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import { SidePanel } from "../ui/record-page.tsx"
import { claimLink } from "./claim-table.tsx"
import classes from "./claims.module.css"

/** Shown only if there are warnings. They inform the decision and block nothing. */
export function ClaimWarnings({ warnings }: { warnings: ClaimDetail["warnings"] }) {
  if (warnings.length === 0) return null
  return (
    <SidePanel title="Warnings">
      <WarningList warnings={warnings} />
    </SidePanel>
  )
}

export function WarningList({ warnings }: { warnings: ClaimDetail["warnings"] }) {
  return (
    <ul className={classes.checks}>
      {warnings.map(({ sentence, claims }) => (
        <li key={sentence} className={classes.check}>
          {keepNumbersUnbroken(sentence)}
          {claims.map((claim, at) => (
            <span key={claim.id}>
              {at === 0 ? " " : ", "}
              <Anchor renderRoot={(props) => <Link {...props} {...claimLink(claim)} />}>
                <DocumentNumber>{claim.number}</DocumentNumber>
              </Anchor>
            </span>
          ))}
          {claims.length > 0 && "."}
        </li>
      ))}
    </ul>
  )
}
