import { Button, List, Stack, Text } from "@mantine/core"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import { describeRateTable } from "@milkwood/domain/policies/rates"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { benefitChoicesQuery } from "../benefits/benefits.api.ts"
import { api } from "../platform/api.ts"
import { useSession } from "../platform/session.ts"
import { DayText } from "../ui/day.tsx"
import { useDisplay } from "../ui/display.tsx"
import { SidePanel } from "../ui/record-page.tsx"
import { ratesQuery } from "./policies.api.ts"
import { MonthNote } from "./rates-month.tsx"

const RatesDialog = lazy(() => import("./rates-dialog.tsx"))

export function PolicyRates({ policy, onSaved }: { policy: PolicyDetail; onSaved?: (policy: PolicyDetail) => void }) {
  const { currency } = useDisplay()
  const { can } = useSession()
  const [open, setOpen] = useState(false)
  const reads = can("rates.read")
  const rates = useQuery({ ...ratesQuery(policy.id), enabled: reads })
  const tiers = useQuery(benefitChoicesQuery()).data?.tiers ?? []
  const month = useQuery({
    ...api.premiums.month.queryOptions({ input: { policyId: policy.id } }),
    enabled: reads && policy.rated,
  })
  const mayEdit = can("rates.write") && isOpen(policy.status)
  if (!reads || (!policy.rated && !mayEdit)) return null
  const tables = rates.data?.tables ?? []
  const name = (id: string) => tiers.find((tier) => tier.id === id)?.name ?? "…"
  return (
    <SidePanel title="Rates">
      <Stack gap="xs" align="flex-start">
        {tables.length === 0 && (
          <Text size="sm" c="dimmed">
            The premium is the same for every member. You can use rates by tier, family, age or sum assured instead.
          </Text>
        )}
        {tables.map(({ fromOn, table }) => (
          <div key={fromOn ?? "draft"}>
            {fromOn && (
              <Text size="sm" fw={600}>
                From <DayText day={fromOn} />
              </Text>
            )}
            <List size="sm" style={{ fontVariantNumeric: "tabular-nums" }}>
              {describeRateTable(table, name, currency).map((line) => (
                <List.Item key={line}>{line.charAt(0).toUpperCase() + line.slice(1)}</List.Item>
              ))}
            </List>
          </div>
        ))}
        {month.data && <MonthNote said={month.data.stands} draft={policy.status === "Draft"} />}
        {mayEdit && (
          <Button variant="default" size="compact-md" disabled={!rates.data} onClick={() => setOpen(true)}>
            {tables.length === 0 ? "Use rates" : "Edit rates"}
          </Button>
        )}
      </Stack>
      {open && rates.data && (
        <Suspense>
          <RatesDialog
            onSaved={onSaved}
            policy={policy}
            table={tables.at(-1)?.table ?? null}
            tiers={tiers}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </SidePanel>
  )
}
