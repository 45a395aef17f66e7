import { type CauseOfDeath, type ClaimType, causeOfDeathNames } from "@milkwood/domain/claims/claim"
import { claimFieldNames } from "@milkwood/domain/claims/claim-form"
import { payeeFieldNames } from "@milkwood/domain/claims/claim-payees"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { countryName } from "@milkwood/domain/kernel/country"
import { createFileRoute, useNavigate } from "@tanstack/react-router"
import { LettersPanel } from "../../letters/letters-panel.tsx"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { addressChoice } from "../../ui/address-choice.ts"
import { DayText, InstantText } from "../../ui/day.tsx"
import { DocumentViewer } from "../../ui/document-viewer.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { headerStepsOf } from "../../ui/record-actions.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { Timeline } from "../../ui/timeline.tsx"
import { type Uploads, useUploads } from "../../ui/use-uploads.ts"
import { ApprovalProgress } from "../approval-progress.tsx"
import { useClaimActions } from "../claim-actions.tsx"
import { ClaimChanges } from "../claim-changes.tsx"
import { ClaimDocuments } from "../claim-documents.tsx"
import { ClaimInformation } from "../claim-information.tsx"
import { ClaimNotes } from "../claim-notes.tsx"
import { ClaimPayeesPanel } from "../claim-payees.tsx"
import { ClaimReservePanel } from "../claim-reserve.tsx"
import { approvalLink, claimTypeName, editLink, memberNameOf } from "../claim-table.tsx"
import { ClaimWarnings } from "../claim-warnings.tsx"
import { viewableDocuments } from "../claims.api.ts"
import { CoverCheck } from "../cover-check.tsx"
import { LoadedClaim } from "../loaded-claim.tsx"
import { OutcomeNotice, ReopenedNotice } from "../reopened.tsx"
import { RequiredDocuments } from "../required-documents.tsx"
import { SentBackNotice } from "../sent-back.tsx"
import { TimeLeft } from "../time-left.tsx"

export const Route = createFileRoute("/_app/claims/$claimId")({
  ...addressChoice("tab", ["details", "documents", "letters", "notes", "activity"]),
  staticData: { permission: "claims.read" },
  component: ClaimPage,
})

function ClaimPage() {
  const { claimId } = Route.useParams()
  return <LoadedClaim claimId={claimId}>{(claim) => <Claim key={claimId} claim={claim} />}</LoadedClaim>
}

function Claim({ claim }: { claim: ClaimDetail }) {
  const { tab } = Route.useSearch()
  const navigate = useNavigate()
  const { of, dialogs } = useClaimActions(() => void navigate({ to: "/claims" }))
  const { approve, edit, ...others } = of(claim)
  // Wording of the specification.
  const steps = {
    approve: { ...approve, label: "Process Approval" },
    edit: { ...edit, label: "Edit Claim" },
    ...others,
  }
  const uploads = useUploads()
  const { can } = useSession()
  const documentsCompleteAt = claim.clock?.documentsCompleteAt
  const may = (action: ClaimDetail["allowedActions"][number]) => claim.allowedActions.includes(action)
  useKeys({
    e: may("edit") ? () => void navigate(editLink(claim)) : undefined,
    a: may("approve") ? () => void navigate(approvalLink(claim)) : undefined,
  })
  return (
    <>
      <RecordPage
        list={["claims", "pending-claims"]}
        id={claim.id}
        back={{ to: "/claims", label: "Back to Claims" }}
        number={claim.number}
        title={memberNameOf(claim.member)}
        badge={<StatusBadge status={claim.status} size="md" />}
        amount={<MoneyText cents={claim.approvedAmountCents ?? claim.requestedAmountCents} />}
        {...headerStepsOf(claim, steps, ["approve", "pay", "route", "startReview", "edit"])}
        tab={tab}
        tabs={[
          { value: "details", label: "Details", content: <Details claim={claim} /> },
          {
            value: "documents",
            label: "Documents",
            count: claim.documents.length,
            content: <DocumentsTab claim={claim} uploads={uploads} />,
          },
          ...(can("letters.read") && claim.status !== "draft"
            ? [{ value: "letters", label: "Letters", content: <LettersPanel record="claim" recordId={claim.id} /> }]
            : []),
          ...(can("notes.read")
            ? [{ value: "notes", label: "Notes", content: <ClaimNotes key={claim.id} claimId={claim.id} /> }]
            : []),
          { value: "activity", label: "Activity", content: <History claim={claim} /> },
        ]}
        side={
          <>
            <SidePanel title="Approval progress">
              <ApprovalProgress claim={claim} />
            </SidePanel>
            <SidePanel title="Summary">
              <FactList
                rows={[
                  ["Captured by", claim.capturedBy],
                  ["Submitted by", claim.submittedBy],
                  ["Submitted", claim.submittedAt && <InstantText key="submitted" at={claim.submittedAt} />],
                  ["Reviewed by", claim.reviewedBy],
                  ["Routed", claim.routedAt && <InstantText key="routed" at={claim.routedAt} />],
                  [
                    "Documents complete",
                    documentsCompleteAt && <InstantText key="complete" at={documentsCompleteAt} />,
                  ],
                  ["Due", claim.clock?.dueOn && <DayText key="due" day={claim.clock.dueOn} />],
                  ["Time left", claim.clock && <TimeLeft key="left" {...claim.clock} />],
                  ["Final approval", claim.finalApprovalAt && <InstantText key="final" at={claim.finalApprovalAt} />],
                ]}
              />
            </SidePanel>
          </>
        }
      />
      {dialogs}
    </>
  )
}

function Details({ claim }: { claim: ClaimDetail }) {
  const { can } = useSession()
  return (
    <>
      <OutcomeNotice claim={claim} />
      <SentBackNotice claim={claim} />
      <ReopenedNotice claim={claim} />
      <ClaimInformation claim={claim}>
        <ClaimWarnings warnings={claim.warnings} />
        <ClaimChanges claim={claim} />
        <SidePanel title="Cover check">
          <CoverCheck lines={claim.coverCheck} />
        </SidePanel>
        <RequiredDocuments claim={claim} />
      </ClaimInformation>
      {can("payouts.read") && claim.status !== "draft" && (
        <>
          <ClaimReservePanel claim={claim} />
          <ClaimPayeesPanel claim={claim} />
        </>
      )}
    </>
  )
}

function DocumentsTab({ claim, uploads }: { claim: ClaimDetail; uploads: Uploads }) {
  return (
    <>
      <SidePanel title="Documents">
        <ClaimDocuments claim={claim} uploads={uploads} />
      </SidePanel>
      {claim.documents.length > 0 && <DocumentViewer documents={viewableDocuments(claim)} />}
    </>
  )
}

const fieldNames: Record<string, string> = {
  ...claimFieldNames,
  ...payeeFieldNames,
  reserve: "Reserve",
  reserveReason: "Reason for the reserve",
}

const tabContents = {
  causeOfDeath: (value: unknown) => (value ? causeOfDeathNames[value as CauseOfDeath] : "–"),
  claimType: (value: unknown) => claimTypeName(value as ClaimType),
  claimAmountCents: (value: unknown) => <MoneyText cents={value as number} />,
  requestedAmountCents: (value: unknown) => <MoneyText cents={value as number} />,
  incidentOn: (value: unknown) => <DayText day={value as string} />,
  notificationOn: (value: unknown) => <DayText day={value as string} />,
  incidentCountry: (value: unknown) => countryName(value as string),
}

function History({ claim }: { claim: ClaimDetail }) {
  return (
    <SidePanel title="Activity">
      <Timeline
        key={claim.id}
        entries={claim.timeline}
        older={(before) => api.claims.activity.call({ claimId: claim.id, before })}
        field={(name) => ({
          label: fieldNames[name],
          show: tabContents[name as keyof typeof tabContents],
        })}
      />
    </SidePanel>
  )
}
