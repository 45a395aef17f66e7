import { Button } from "@mantine/core"
import type { DocumentType } from "@milkwood/domain/claims/claim"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { documentsText } from "@milkwood/domain/claims/required-documents"
import { lazy, Suspense, useState } from "react"
import { InstantText } from "../ui/day.tsx"
import { SidePanel } from "../ui/record-page.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { useReviewCommands } from "./claims.api.ts"
import classes from "./claims.module.css"

const ReasonDialog = lazy(() => import("../ui/reason-dialog.tsx"))

const looks = { there: "pass", missing: "missing", waived: "skipped" } as const
const words = { there: "Attached", missing: "Missing", waived: "Waived" }

/** Shown only if the settings require documents. Missing ones prevent routing. */
export function RequiredDocuments({ claim }: { claim: ClaimDetail }) {
  if (claim.requiredDocuments.length === 0) return null
  return (
    <SidePanel title="Required documents">
      <DocumentChecklist claim={claim} />
    </SidePanel>
  )
}

export function DocumentChecklist({ claim }: { claim: ClaimDetail }) {
  const [waiving, setWaiving] = useState<DocumentType[]>()
  const [withdrawing, setWithdrawing] = useState<DocumentType[]>()
  const { waiveDocuments, withdrawWaiver } = useReviewCommands()
  const mayWaive = claim.allowedActions.includes("waiveDocuments")
  const mayWithdraw = claim.allowedActions.includes("withdrawWaiver")
  const { id: claimId, version } = claim
  return (
    <>
      <ul className={classes.checks} aria-label="Required documents">
        {claim.requiredDocuments.map(({ documents, state, waiver }) => (
          <li key={documents.join()} className={classes.check}>
            <div className={classes.checkTitle}>
              {documentsText(documents)}
              <StatusBadge status={looks[state]} label={words[state]} />
            </div>
            {waiver && (
              <div className={classes.quiet}>
                Waived by {waiver.by} on <InstantText at={waiver.at} />
                {waiver.reason === null ? "." : <span className={classes.reason}>: {waiver.reason}</span>}
              </div>
            )}
            {state === "missing" && mayWaive && (
              <Button
                size="compact-sm"
                variant="default"
                mt={4}
                aria-label={`Waive ${documentsText(documents)}`}
                onClick={() => setWaiving(documents)}
              >
                Waive
              </Button>
            )}
            {state === "waived" && mayWithdraw && (
              <Button
                size="compact-sm"
                variant="default"
                mt={4}
                aria-label={`Withdraw waiver of ${documentsText(documents)}`}
                onClick={() => setWithdrawing(documents)}
              >
                Withdraw waiver
              </Button>
            )}
          </li>
        ))}
      </ul>
      {waiving && (
        <Suspense>
          <ReasonDialog
            title={`Waive ${documentsText(waiving)}`}
            words={`${claim.number} can be routed without this document. The reason is stored with the claim.`}
            submit="Waive document"
            missing="Enter a reason for the waiver."
            minRows={3}
            onClose={() => setWaiving(undefined)}
            save={({ reason }) => waiveDocuments.mutateAsync({ claimId, version, documents: waiving, reason })}
          />
        </Suspense>
      )}
      {withdrawing && (
        <Suspense>
          <ReasonDialog
            title={`Withdraw waiver of ${documentsText(withdrawing)}`}
            words={`${claim.number} needs this document again before it can be routed. The waiver and both reasons remain in the claim's activity.`}
            submit="Withdraw waiver"
            missing="Enter a reason for withdrawing the waiver."
            danger
            minRows={3}
            onClose={() => setWithdrawing(undefined)}
            save={({ reason }) => withdrawWaiver.mutateAsync({ claimId, version, documents: withdrawing, reason })}
          />
        </Suspense>
      )}
    </>
  )
}
