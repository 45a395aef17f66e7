import { Button, List } from "@mantine/core"
import type { BillingRunDetail } from "@milkwood/domain/billing/billing-runs.contract"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { policyQuery, usePolicyCommands } from "../policies/policies.api.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyText } from "../ui/money.tsx"
import { useRunCommands } from "./run.api.ts"

const monthCountText = (count: number) =>
  count === 1 ? "1 first invoice includes months" : `${count} first invoices include months`

/** `canStart` offers to bill a policy from the run's month instead, and previews again. */
export function RunEarlierMonths(props: { run: BillingRunDetail; canStart?: boolean; children?: ReactNode }) {
  const { earlier, id: runId, month, version } = props.run
  const { preview } = useRunCommands()
  const { updateSection } = usePolicyCommands()
  const queryClient = useQueryClient()
  const busy = preview.isPending || updateSection.isPending
  const startHere = async (policyId: string) => {
    const { terms, version: policyVersion } = await queryClient.fetchQuery(policyQuery(policyId))
    const change = { section: "terms" as const, values: { ...terms, billedFromOn: month } }
    await updateSection.mutateAsync({ policyId, version: policyVersion, change })
    await preview.mutateAsync({ runId, version })
  }
  if (earlier.policies === 0) return null
  return (
    <InlineError tone="warning">
      {monthCountText(earlier.policies)} before {formatMonth(month)}: <MoneyText cents={earlier.cents} /> excl. VAT.
      <List size="sm">
        {earlier.largest.map(({ policyId, policyNumber, groupName, months, cents }) => (
          <List.Item key={policyId}>
            <Link to="/policies/$policyId" params={{ policyId }}>
              {groupName}, {policyNumber}
            </Link>
            : {months === 1 ? "1 earlier month" : `${months} earlier months`}, <MoneyText cents={cents} />
            {props.canStart && (
              <Button
                ml="xs"
                size="compact-xs"
                variant="default"
                disabled={busy}
                aria-label={`Start ${policyNumber} in ${formatMonth(month)} instead`}
                onClick={() => void startHere(policyId).catch(() => undefined)}
              >
                Start in {formatMonth(month)} instead
              </Button>
            )}
          </List.Item>
        ))}
      </List>
      {props.children}
    </InlineError>
  )
}
