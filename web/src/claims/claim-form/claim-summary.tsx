import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { DayText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { FactList, SidePanel } from "../../ui/record-page.tsx"
import { claimTypeName, memberNameOf } from "../claim-table.tsx"
import { useCurrentClaim } from "../claims.api.ts"
import { useCoverChoices } from "./details-step.tsx"
import { useMember } from "./member-step.tsx"
import type { ClaimValues } from "./use-claim-draft.ts"

export function ClaimSummary({ values, claim }: { values: ClaimValues; claim: ClaimDetail | undefined }) {
  const member = useMember(values.memberId)
  const { chosen, dependent } = useCoverChoices(values)
  const current = useCurrentClaim(claim)
  return (
    <SidePanel title="Summary">
      <FactList
        rows={[
          ["Claim", claim ? <DocumentNumber key="number">{claim.number}</DocumentNumber> : "Not saved yet"],
          ["Member", member && memberNameOf(member)],
          ["Insured person", dependent?.name],
          ["Policy group", member?.groupName],
          ["Benefit", chosen?.name],
          ["Type", values.claimType && claimTypeName(values.claimType)],
          ["Incident", values.incidentOn && <DayText key="incident" day={values.incidentOn} />],
          ["Requested", <MoneyText key="requested" cents={values.requestedAmountCents} />],
          ["Maximum cover", chosen && chosen.maxCoverCents > 0 && <MoneyText key="max" cents={chosen.maxCoverCents} />],
          ["Documents", current?.documents.length],
        ]}
      />
    </SidePanel>
  )
}
