import { Button, Table } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useSession } from "../platform/session.ts"
import { InstantText } from "../ui/day.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { SidePanel } from "../ui/record-page.tsx"
import { payersQuery, useForgetPayer } from "./banking.api.ts"
import classes from "./banking.module.css"

export function PolicyPayers({ policyId }: { policyId: string }) {
  const payers = useQuery(payersQuery(policyId))
  const forget = useForgetPayer()
  const { can } = useSession()
  if (payers.isError && !payers.data) {
    return (
      <LoadFailed
        title="Failed to load payers"
        error={payers.error}
        onRetry={payers.refetch}
        busy={payers.isFetching}
      />
    )
  }
  if (!payers.data) return null
  return (
    <SidePanel title="Payers on bank statements">
      {payers.data.length === 0 ? (
        <p className={classes.words}>No payers yet. Payers matched with this policy are saved here.</p>
      ) : (
        <Table.ScrollContainer minWidth={300}>
          <Table aria-label="Payers on bank statements" horizontalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Payer</Table.Th>
                <Table.Th ta="right">Confirmed</Table.Th>
                <Table.Th ta="right">Declined</Table.Th>
                <Table.Th visibleFrom="sm">Last seen</Table.Th>
                <Table.Td />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {payers.data.map(({ id, payer, confirmed, declined, lastAt }) => (
                <Table.Tr key={id}>
                  <Table.Td>{payer}</Table.Td>
                  <Table.Td ta="right">{confirmed}</Table.Td>
                  <Table.Td ta="right">{declined}</Table.Td>
                  <Table.Td visibleFrom="sm">
                    <InstantText at={lastAt} show="day" />
                  </Table.Td>
                  <Table.Td ta="right">
                    {can("banking.write") && (
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        loading={forget.isPending && forget.variables?.payerId === id}
                        onClick={() => forget.mutate({ payerId: id })}
                        aria-label={`Remove ${payer}`}
                      >
                        Remove
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </SidePanel>
  )
}
