import { Button } from "@mantine/core"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { createFileRoute, Link, useNavigate } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { DocumentViewer } from "../../ui/document-viewer.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { NeighbourLinks, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { readTrail } from "../../ui/trail.ts"
import { ApprovalProgress } from "../approval-progress.tsx"
import { ClaimChanges } from "../claim-changes.tsx"
import { NoDocuments } from "../claim-documents.tsx"
import { ClaimInformation } from "../claim-information.tsx"
import { ClaimNotes } from "../claim-notes.tsx"
import { approvalLink, claimLink, memberNameOf } from "../claim-table.tsx"
import { ClaimWarnings } from "../claim-warnings.tsx"
import { viewableDocuments } from "../claims.api.ts"
import classes from "../claims.module.css"
import { CoverCheck } from "../cover-check.tsx"
import { DecisionPanel } from "../decision-panel.tsx"
import { LoadedClaim } from "../loaded-claim.tsx"
import { OtherClaims } from "../other-claims.tsx"
import { ReopenedNotice } from "../reopened.tsx"
import { RequiredDocuments } from "../required-documents.tsx"

export const Route = createFileRoute("/_app/claims/$claimId/approve")({
  staticData: { permission: "claims.read" },
  component: ApprovalPage,
})

const claimLists = ["pending-claims", "claims"]

function ApprovalPage() {
  const { claimId } = Route.useParams()
  return <LoadedClaim claimId={claimId}>{(claim) => <Approval key={claimId} claim={claim} />}</LoadedClaim>
}

function Approval({ claim }: { claim: ClaimDetail }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { can } = useSession()
  const nextQuery = api.claims.nextForMe.queryOptions({ input: { except: claim.id } })
  const next = useQuery(nextQuery).data
  const following = next?.next
  const isFromList = readTrail(claimLists, claim.id) !== undefined
  useKeys({
    i: () => void navigate(claimLink(claim)),
    "]": following && !isFromList ? () => void navigate(approvalLink(following)) : undefined,
  })

  const openNext = async () => {
    const { next } = await queryClient.fetchQuery({ ...nextQuery, staleTime: 0 })
    await navigate(next ? approvalLink(next) : { to: "/claims/pending" })
  }

  return (
    <div>
      <PageHeader
        title={
          <>
            Claim approval: <span className={classes.piece}>{claim.number}</span>
          </>
        }
        name={`Claim approval: ${claim.number}`}
        subtitle={`${memberNameOf(claim.member)}, ${claim.group.name}`}
        amount={<MoneyText cents={claim.approvedAmountCents ?? claim.requestedAmountCents} />}
        badge={<StatusBadge status={claim.status} size="md" />}
        back={{ ...claimLink(claim), label: "Back to the claim" }}
        actions={
          <>
            <NeighbourLinks list={claimLists} id={claim.id} />
            {following && (
              <Button variant="default" renderRoot={(props) => <Link {...props} {...approvalLink(following)} />}>
                Next waiting for me: {following.number}
              </Button>
            )}
          </>
        }
      />
      <ReopenedNotice claim={claim} />
      <div className={classes.approval} data-bare={claim.documents.length === 0 || undefined}>
        <div className={classes.viewer}>
          {claim.documents.length > 0 ? (
            <DocumentViewer documents={viewableDocuments(claim)} />
          ) : (
            <NoDocuments claim={claim} />
          )}
        </div>
        <div className={classes.column}>
          <div className={classes.column}>
            <ClaimWarnings warnings={claim.warnings} />
            <ClaimChanges claim={claim} />
            <SidePanel title="Cover check">
              <CoverCheck lines={claim.coverCheck} />
            </SidePanel>
            <RequiredDocuments claim={claim} />
          </div>
          <SidePanel title="Other claims of the member">
            <OtherClaims claims={claim.otherClaims} />
          </SidePanel>
          <ClaimInformation claim={claim} />
          {can("notes.read") && (
            <SidePanel title="Notes">
              <ClaimNotes claimId={claim.id} />
            </SidePanel>
          )}
        </div>
        <div className={`${classes.column} ${classes.decision}`}>
          <SidePanel title="Decision">
            <DecisionPanel claim={claim} onDecided={() => void openNext()} />
          </SidePanel>
          <SidePanel title="Approval progress">
            <ApprovalProgress claim={claim} />
          </SidePanel>
        </div>
      </div>
    </div>
  )
}
