import { Anchor } from "@mantine/core"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import type { ClaimPayees } from "@milkwood/domain/claims/payees.contract"
import { Link } from "@tanstack/react-router"
import { memberLink } from "../members/member-actions.tsx"
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

interface WarningListProps {
  warnings: (ClaimDetail["warnings"][number] & Partial<Pick<ClaimPayees["warnings"][number], "members">>)[]
}

export function WarningList({ warnings }: WarningListProps) {
  return (
    <ul className={classes.checks}>
      {warnings.map(({ sentence, claims, members = [] }) => (
        <li key={sentence} className={classes.check}>
          {keepNumbersUnbroken(sentence)}
          {[
            ...claims.map((claim) => ({ ...claim, link: claimLink(claim) })),
            ...members.map((member) => ({ ...member, link: memberLink(member.id) })),
          ].map(({ id, number, link }, at) => (
            <span key={id}>
              {at === 0 ? " " : ", "}
              <Anchor renderRoot={(props) => <Link {...props} {...link} />}>
                <DocumentNumber>{number}</DocumentNumber>
              </Anchor>
            </span>
          ))}
          {claims.length + members.length > 0 && "."}
        </li>
      ))}
    </ul>
  )
}
