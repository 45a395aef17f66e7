import { Button, Group, Skeleton, Stack, Table } from "@mantine/core"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { hasReserve, reserveCauseNames } from "@milkwood/domain/claims/reserve"
import type { ClaimReserve } from "@milkwood/domain/claims/reserve.contract"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { DayText } from "../ui/day.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import { SidePanel } from "../ui/record-page.tsx"
import { claimReserveQuery } from "./claims.api.ts"
import classes from "./claims.module.css"

const ReserveDialog = lazy(() => import("./reserve-dialog.tsx"))

/** For users who see payments; a draft has no reserve. */
export function ClaimReservePanel({ claim }: { claim: ClaimDetail }) {
  const reserve = useQuery(claimReserveQuery(claim.id))
  return (
    <SidePanel title="Reserve">
      {reserve.data ? (
        <Reserve claim={claim} reserve={reserve.data} />
      ) : reserve.isError ? (
        <LoadFailed
          title="Failed to load the reserve"
          error={reserve.error}
          onRetry={reserve.refetch}
          busy={reserve.isFetching}
        />
      ) : (
        <Stack gap="xs" role="status" aria-label="Loading the reserve...">
          <Skeleton height={20} width={160} />
          <Skeleton height={12} />
        </Stack>
      )}
    </SidePanel>
  )
}

interface ReserveProps {
  claim: ClaimDetail
  reserve: ClaimReserve
}

function Reserve({ claim, reserve }: ReserveProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { reserveCents, movements, canSet } = reserve
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="start" gap="xs">
        <div>
          <div className={classes.reserve}>
            <MoneyText cents={reserveCents} />
          </div>
          <ReserveBasis claim={claim} reserve={reserve} />
        </div>
        {canSet && (
          <Button variant="light" onClick={() => setIsOpen(true)}>
            Change reserve
          </Button>
        )}
      </Group>
      {movements.length === 0 ? (
        <p className={classes.quiet}>No movements yet.</p>
      ) : (
        <ReserveMovements reserve={reserve} />
      )}
      <Suspense>
        {isOpen && <ReserveDialog number={claim.number} reserve={reserve} onClose={() => setIsOpen(false)} />}
      </Suspense>
    </Stack>
  )
}

function ReserveBasis({ claim, reserve: { reserveCents, setCents, proposedCents, movements } }: ReserveProps) {
  if (!hasReserve(claim.status))
    return <p className={classes.quiet}>Only a submitted claim that is not decided has a reserve.</p>
  if (setCents === null) {
    return (
      <p className={classes.quiet}>
        {reserveCents === proposedCents ? (
          "Follows the proposed amount."
        ) : (
          <>
            The proposed amount when the claim last changed. It is <MoneyText cents={proposedCents} /> now.
          </>
        )}
      </p>
    )
  }
  const set = movements.find(({ cause }) => cause === "set")
  return (
    <>
      <p className={classes.quiet}>
        Set by {set?.by ?? "a manager"}
        {set && (
          <>
            {" on "}
            <DayText day={set.on} />
          </>
        )}
        . The proposed amount is <MoneyText cents={proposedCents} />.
      </p>
      {set && <p className={classes.reason}>{set.reason}</p>}
    </>
  )
}

function ReserveMovements({ reserve: { movements } }: Pick<ReserveProps, "reserve">) {
  return (
    <Table className={classes.movements} aria-label="Movements of the reserve">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Day</Table.Th>
          <Table.Th>Cause</Table.Th>
          <Table.Th ta="right">Change</Table.Th>
          <Table.Th ta="right">Reserve</Table.Th>
          <Table.Th>Reason</Table.Th>
          <Table.Th>By</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {movements.map(({ seq, on, cause, changeCents, reserveCents, reason, by }) => (
          <Table.Tr key={seq}>
            <Table.Td data-label="Day">
              <DayText day={on} />
            </Table.Td>
            <Table.Td data-label="Cause">{reserveCauseNames[cause]}</Table.Td>
            <Table.Td data-label="Change" ta="right">
              <MoneyText cents={changeCents} />
            </Table.Td>
            <Table.Td data-label="Reserve" ta="right">
              <MoneyText cents={reserveCents} />
            </Table.Td>
            <Table.Td data-label="Reason" className={classes.reason}>
              {reason || "–"}
            </Table.Td>
            <Table.Td data-label="By">{by ?? "System"}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
