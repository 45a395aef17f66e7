import { type Stage, stageNames } from "@milkwood/domain/claims/claim"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { shortNameList } from "@milkwood/domain/kernel/text"
import { InstantText } from "../ui/day.tsx"
import { MoneyText } from "../ui/money.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import classes from "./claims.module.css"
import { ReopenedRound } from "./reopened.tsx"
import { SentBackRound } from "./sent-back.tsx"

type Approval = ClaimDetail["approvals"][number]

export function ApprovalProgress({ claim }: { claim: ClaimDetail }) {
  if (claim.approvals.length === 0)
    return <p className={classes.quiet}>Three people decide the claim after it is submitted.</p>
  const rounds = [...new Set(claim.approvals.map(({ round }) => round))].sort((a, b) => b - a)
  return (
    <>
      {(claim.status === "submitted" || claim.status === "under_review") && (
        <p className={classes.quiet}>Waiting to be routed by the office.</p>
      )}
      {rounds.map((round) => (
        <section key={round} aria-label={rounds.length > 1 ? `Round ${round}` : "Approvals"}>
          {rounds.length > 1 && (
            <h3 className={classes.round}>
              Round {round}
              {round < claim.round && `, ${roundEnd(claim, round)}`}
            </h3>
          )}
          {round < claim.round && (
            <p className={classes.quiet}>
              <SentBackRound claim={claim} round={round} />
              <ReopenedRound claim={claim} round={round} />
            </p>
          )}
          <ol className={classes.chain}>
            {claim.approvals
              .filter((approval) => approval.round === round)
              .map((approval) => (
                <StageLine key={approval.stage} approval={approval} claim={claim} />
              ))}
          </ol>
        </section>
      ))}
    </>
  )
}

function roundEnd({ reopenings }: ClaimDetail, round: number): string {
  const next = reopenings.find((one) => one.round === round + 1)
  if (!next) return "sent back"
  return next.kind === "appeal" ? "rejected, then reopened" : "approval withdrawn"
}

function StageLine({ approval, claim }: { approval: Approval; claim: ClaimDetail }) {
  const { stage, status } = approval
  const current = approval.round === claim.round
  const waits = current && claim.status === `pending_${stage}`
  const open = current && status === "pending" && claim.status !== "rejected" && claim.status !== "withdrawn"
  return (
    <li className={classes.stage} data-waits={waits || undefined} aria-current={waits ? "step" : undefined}>
      <div className={classes.stageHead}>
        <strong>{stageNames[stage]}</strong>
        {status !== "pending" ? (
          <StatusBadge status={status} />
        ) : waits ? (
          <StatusBadge status="pending" />
        ) : (
          <span className={classes.quiet}>{open ? "Not reached" : "Not decided"}</span>
        )}
      </div>
      {status !== "pending" && (
        <div className={classes.quiet}>
          {approval.decidedBy}, <InstantText at={approval.decidedAt} />
        </div>
      )}
      {approval.approvedAmountCents !== null && (
        <div>
          Approved <MoneyText cents={approval.approvedAmountCents} />
        </div>
      )}
      {approval.reductionReason && <div className={classes.comment}>Reduced: {approval.reductionReason}</div>}
      {approval.comment && <div className={classes.comment}>“{approval.comment}”</div>}
      {open && <DeciderNames names={claim.deciders[stage]} stage={stage} waits={waits} />}
    </li>
  )
}

function DeciderNames({ names, stage, waits }: { names: string[]; stage: Stage; waits: boolean }) {
  const words =
    names.length === 0
      ? `No one can decide this stage. Add a user with the role “${stageNames[stage]}” and access to this group.`
      : `${waits ? "Can be decided" : "Then decided"} by ${shortNameList(names)}.`
  return <div className={classes.quiet}>{words}</div>
}
