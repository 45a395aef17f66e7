import { Anchor, Button, Group, Stack } from "@mantine/core"
import {
  type ClaimPayee,
  isOnlyPossiblePayee,
  payeeBasisNames,
  payeeReceiverNames,
  payeeRelationshipNames,
} from "@milkwood/domain/claims/claim-payees"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import type { ClaimPayees, RecordedPayee } from "@milkwood/domain/claims/payees.contract"
import { maskAccountNumber } from "@milkwood/domain/kernel/bank-details"
import { formatShare } from "@milkwood/domain/kernel/shares"
import { useIsFetching, useQuery } from "@tanstack/react-query"
import { Link, useLocation } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useRef, useState } from "react"
import { NomineesTable } from "../members/nominees-table.tsx"
import { claimPayeesQuery } from "../payouts/payouts.api.ts"
import { PreparePaymentsDialog } from "../payouts/prepare-payments-dialog.tsx"
import { DayText, InstantText } from "../ui/day.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import { SettingsLine, SettingsList } from "../ui/line-list.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import { SidePanel } from "../ui/record-page.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { WarningList } from "./claim-warnings.tsx"
import { useRecordPayees } from "./claims.api.ts"
import classes from "./claims.module.css"

const PayeesDialog = lazy(() => import("./payees-dialog.tsx"))
const PayeeAccountDialog = lazy(() => import("./payee-account-dialog.tsx"))

type Opened = { act: "record" } | { act: "pay" } | { act: "change"; payee: RecordedPayee }

/** Scrolls once the page has loaded: panels above this one may arrive later and move it. */
function useScrollFromLink(isShown: boolean) {
  const isLinked = useLocation().hash === "payees"
  const isLoading = useIsFetching() > 0
  const hasScrolled = useRef(false)
  useEffect(() => {
    if (!isLinked || !isShown || isLoading || hasScrolled.current) return
    hasScrolled.current = true
    document.getElementById("payees")?.scrollIntoView({ block: "center" })
  }, [isLinked, isShown, isLoading])
}

/** For users who see payments. */
export function ClaimPayeesPanel({ claim }: { claim: ClaimDetail }) {
  const payees = useQuery(claimPayeesQuery(claim.id))
  useScrollFromLink(payees.isSuccess)
  const record = useRecordPayees()
  const [open, setOpen] = useState<Opened>()
  if (!payees.data) {
    if (!payees.isError) return null
    return (
      <SidePanel title="Payees">
        <LoadFailed
          title="Failed to load the payees"
          error={payees.error}
          onRetry={payees.refetch}
          busy={payees.isFetching}
        />
      </SidePanel>
    )
  }
  const { current, proposal, earlier, warnings, allowedActions } = payees.data
  const onlyPayee = current === null && isOnlyPossiblePayee(proposal) ? proposal.payees[0] : undefined
  // A saved dialog closes after its answer, when another one may be open already.
  const closeOf = (act: Opened["act"]) => () => setOpen((now) => (now?.act === act ? undefined : now))
  const openCents = (current?.payees ?? []).reduce(
    (sum, { hasPayment, amountCents }) => sum + (hasPayment ? 0 : (amountCents ?? 0)),
    0,
  )
  return (
    <SidePanel title="Payees" id="payees">
      <Stack gap="sm">
        {payees.data.isOwnDeath && <ClaimNomination payees={payees.data} />}
        {warnings.length > 0 && <WarningList warnings={warnings} />}
        {current ? (
          <CurrentPayees payees={payees.data} onChange={(payee) => setOpen({ act: "change", payee })} />
        ) : (
          <p className={classes.quiet}>
            No payees recorded. {payableTo(payees.data)} {onlyPayee?.accountNumber && lastAccountWords(onlyPayee)}
          </p>
        )}
        <OtherPayments payees={payees.data} />
        {(allowedActions.includes("record") || allowedActions.includes("pay")) && (
          <Group gap="xs">
            {allowedActions.includes("pay") && (
              <Button onClick={() => setOpen({ act: "pay" })}>Prepare payments</Button>
            )}
            {allowedActions.includes("record") && onlyPayee && (
              <Button
                variant="light"
                loading={record.isPending}
                onClick={() => record.mutate({ claimId: claim.id, replaces: null, ...proposal })}
              >
                Record {onlyPayee.name} as payee
              </Button>
            )}
            {allowedActions.includes("record") && (
              <Button variant={onlyPayee ? "default" : "light"} onClick={() => setOpen({ act: "record" })}>
                {current ? "Replace payees" : "Record payees"}
              </Button>
            )}
          </Group>
        )}
        {earlier.length > 0 && (
          <details>
            <summary>{earlier.length === 1 ? "1 earlier record" : `${earlier.length} earlier records`}</summary>
            <ul className={classes.checks}>
              {earlier.map(({ id, summary, recordedBy, recordedAt, reason }) => (
                <li key={id} className={classes.check}>
                  {summary}
                  <div className={classes.quiet}>
                    {recordedBy}, <InstantText at={recordedAt} />
                    {reason && `: ${reason}`}
                  </div>
                </li>
              ))}
            </ul>
          </details>
        )}
      </Stack>
      <Suspense>
        {open?.act === "record" && <PayeesDialog claim={claim} payees={payees.data} onClose={closeOf("record")} />}
        {open?.act === "change" && (
          <PayeeAccountDialog claimId={claim.id} payee={open.payee} onClose={closeOf("change")} />
        )}
      </Suspense>
      {open?.act === "pay" && (
        <PreparePaymentsDialog
          claims={[{ id: claim.id, number: claim.number, openCents }]}
          onClose={closeOf("pay")}
          onDone={closeOf("pay")}
        />
      )}
    </SidePanel>
  )
}

function payableTo({ isOwnDeath, owningFund }: ClaimPayees): string {
  if (!isOwnDeath) return "The benefit is payable to the member."
  return owningFund && `The benefit is payable to ${owningFund}, the retirement fund that owns the policy.`
}

const lastAccountWords = ({ name, bank, accountNumber }: ClaimPayee) =>
  `The last payment to ${name} went to ${bank}, ${maskAccountNumber(accountNumber)}.`

function ClaimNomination({ payees: { nomination, knownNomination } }: { payees: ClaimPayees }) {
  return (
    <>
      {nomination ? (
        <section>
          <h3 className={classes.payeesHeading}>
            Nomination on the incident date, from <DayText day={nomination.fromOn} />
          </h3>
          <p className={classes.quiet}>
            Recorded by {nomination.recordedBy}, <InstantText at={nomination.recordedAt} />
          </p>
          {nomination.nominees.length > 0 ? (
            <NomineesTable nominees={nomination.nominees} />
          ) : (
            <p className={classes.quiet}>The member revoked the earlier nomination.</p>
          )}
        </section>
      ) : (
        <p className={classes.quiet}>No nomination on the incident date.</p>
      )}
      {knownNomination && (
        <details>
          <summary>
            Nomination that was on record on the incident date, from <DayText day={knownNomination.fromOn} />
          </summary>
          <NomineesTable nominees={knownNomination.nominees} />
        </details>
      )}
    </>
  )
}

interface CurrentPayeesProps {
  payees: ClaimPayees
  onChange: (payee: RecordedPayee) => void
}

function CurrentPayees({ payees: { current, payments, allowedActions }, onChange }: CurrentPayeesProps) {
  const { basis, reason, recordedBy, recordedAt, payees } = current!
  const paymentsOf = (id: string) => payments.filter(({ payeeId }) => payeeId === id)
  return (
    <section>
      <h3 className={classes.payeesHeading}>{payeeBasisNames[basis]}</h3>
      <p className={classes.quiet}>
        Recorded by {recordedBy}, <InstantText at={recordedAt} />
        {reason && `: ${reason}`}
      </p>
      <SettingsList label="Payees">
        {payees.map((payee) => (
          <SettingsLine
            key={payee.id}
            what={
              <>
                {payee.name}, {formatShare(payee.shareBasisPoints)}
                {payee.amountCents !== null && (
                  <>
                    {": "}
                    <MoneyText cents={payee.amountCents} />
                  </>
                )}
              </>
            }
            words={
              <>
                <div>{receiverWords(payee)}</div>
                {paymentsOf(payee.id).map((payment) => (
                  <PaymentLine key={payment.id} payment={payment} />
                ))}
              </>
            }
          >
            {allowedActions.includes("change") && !payee.hasPayment && (
              <Button size="compact-sm" variant="default" onClick={() => onChange(payee)}>
                Change account<span className="visually-hidden"> of {payee.name}</span>
              </Button>
            )}
          </SettingsLine>
        ))}
      </SettingsList>
    </section>
  )
}

const receiverWords = ({ relationship, isMinor, receivedBy, receiverName, bank, accountNumber }: RecordedPayee) =>
  [
    payeeRelationshipNames[relationship],
    isMinor && "under 18 on the incident date",
    receivedBy !== "self" && `${payeeReceiverNames[receivedBy].toLowerCase()}, ${receiverName}`,
    accountNumber ? `${bank} ${accountNumber}` : "no bank account",
  ]
    .filter(Boolean)
    .join("; ")

/** Payments without a recorded payee. */
function OtherPayments({ payees: { payments } }: { payees: ClaimPayees }) {
  const others = payments.filter(({ payeeId }) => payeeId === null)
  if (others.length === 0) return null
  return (
    <section>
      <h3 className={classes.payeesHeading}>Payments</h3>
      {others.map((payment) => (
        <PaymentLine key={payment.id} payment={payment} named />
      ))}
    </section>
  )
}

function PaymentLine({ payment, named = false }: { payment: ClaimPayees["payments"][number]; named?: boolean }) {
  const { id, number, payeeName, amountCents, status, completedOn, returnedOn } = payment
  const day = returnedOn ?? completedOn
  return (
    <div className={classes.payment}>
      <Anchor
        renderRoot={(props) => <Link {...props} to="/finance/claims-payments/$payoutId" params={{ payoutId: id }} />}
      >
        <DocumentNumber>{number}</DocumentNumber>
      </Anchor>
      <StatusBadge status={status} />
      {named && (
        <span>
          {payeeName}, <MoneyText cents={amountCents} />
        </span>
      )}
      {day && <DayText day={day} />}
    </div>
  )
}
