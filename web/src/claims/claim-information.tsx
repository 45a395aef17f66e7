import { Anchor } from "@mantine/core"
import { causeOfDeathNames } from "@milkwood/domain/claims/claim"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { countryName } from "@milkwood/domain/kernel/country"
import { Link } from "@tanstack/react-router"
import { Fragment, type ReactNode } from "react"
import { GroupLink } from "../employers/group-link.tsx"
import { useSession } from "../platform/session.ts"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { DayText } from "../ui/day.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import { MoneyText } from "../ui/money.tsx"
import { FactList, SidePanel } from "../ui/record-page.tsx"
import { claimTypeName, dependentText, memberNameOf } from "./claim-table.tsx"
import classes from "./claims.module.css"

export function ClaimInformation({ claim, children }: { claim: ClaimDetail; children?: ReactNode }) {
  const { member, policy, medical } = claim
  const { can } = useSession()
  return (
    <div className={classes.cards}>
      <div className={classes.column}>
        <SidePanel title="Claim information">
          <FactList
            rows={[
              ["Insured person", claim.dependent && dependentText(claim.dependent)],
              [
                "Member",
                <Anchor
                  key="member"
                  renderRoot={(props) => <Link {...props} to="/members/$memberId" params={{ memberId: member.id }} />}
                >
                  {memberNameOf(member)}
                </Anchor>,
              ],
              ["Member number", <DocumentNumber key="number">{member.number}</DocumentNumber>],
              ["ID number", member.idNumber],
              ["Benefit tier", member.tier],
              ["Policy group", <GroupLink key="group" id={claim.group.id} name={claim.group.name} />],
              [
                "Policy",
                <Anchor
                  key="policy"
                  renderRoot={(props) => <Link {...props} to="/policies/$policyId" params={{ policyId: policy.id }} />}
                >
                  <DocumentNumber>{policy.number}</DocumentNumber>
                </Anchor>,
              ],
              ["Product type", policy.productType],
              ["Benefit", claim.benefit?.name ?? "–"],
              ["Claim type", claimTypeName(claim.claimType)],
            ]}
          />
        </SidePanel>
        {children}
      </div>
      <div className={classes.column}>
        <SidePanel title="Amounts">
          <FactList
            rows={[
              ["Claim amount", <MoneyText key="claim" cents={claim.claimAmountCents} />],
              ["Requested amount", <MoneyText key="requested" cents={claim.requestedAmountCents} />],
              [
                "Maximum cover",
                claim.coverPercentage !== null &&
                  (claim.maxCoverCents > 0 ? <MoneyText key="max" cents={claim.maxCoverCents} /> : "No maximum"),
              ],
              ["Cover percentage", claim.coverPercentage !== null && `${claim.coverPercentage || 100} %`],
              [
                "Proposed amount",
                claim.status !== "draft" && (
                  <Fragment key="proposed">
                    <MoneyText cents={claim.proposedAmountCents} />
                    {claim.coverWorking.map((sentence) => (
                      <div key={sentence} className={`${classes.quiet} ${classes.working}`}>
                        {keepNumbersUnbroken(sentence)}
                      </div>
                    ))}
                  </Fragment>
                ),
              ],
              [
                "Approved amount",
                claim.approvedAmountCents !== null && <MoneyText key="approved" cents={claim.approvedAmountCents} />,
              ],
              ["Payment date", claim.paymentOn && <DayText key="paid" day={claim.paymentOn} />],
              [
                "Payment",
                claim.hasPayments && can("payouts.read") && (
                  <Anchor
                    key="payment"
                    renderRoot={(props) => (
                      <Link {...props} to="/finance/claims-payments" search={{ search: claim.number }} />
                    )}
                  >
                    Show payments
                  </Anchor>
                ),
              ],
            ]}
          />
        </SidePanel>
        <SidePanel title="Incident">
          <FactList
            rows={[
              ["Incident date", <DayText key="incident" day={claim.incidentOn} />],
              ["Notification date", <DayText key="notified" day={claim.notificationOn} />],
              ["Country", countryName(claim.incidentCountry)],
              ["Cause of death", medical?.causeOfDeath && causeOfDeathNames[medical.causeOfDeath]],
              ["Diagnosis", medical?.diagnosis || null],
              ["Hospital", medical?.hospitalName || null],
              ["Doctor", medical?.doctorName || null],
              ["Bill number", medical?.billNumber || null],
            ]}
          />
          {medical?.description && <TextField label="Description" text={medical.description} />}
          {medical?.treatmentDetails && <TextField label="Treatment details" text={medical.treatmentDetails} />}
          {!medical && <p className={classes.quiet}>This account cannot see medical details.</p>}
        </SidePanel>
      </div>
    </div>
  )
}

function TextField({ label, text }: { label: string; text: string }) {
  return (
    <div className={classes.words}>
      <h3>{label}</h3>
      <p>{text}</p>
    </div>
  )
}
