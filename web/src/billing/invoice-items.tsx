import { Group, Pagination, Table, Text } from "@mantine/core"
import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import type { InvoiceLine } from "@milkwood/domain/billing/invoice-shape"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import { invoiceLinesQuery } from "./billing.api.ts"
import classes from "./invoice.module.css"

const itemsPerPage = 100

/** 100 per page, because an invoice can have thousands. */
export function InvoiceItems({ invoice }: { invoice: InvoiceDetail }) {
  const [page, setPage] = useState(1)
  const asked = useQuery({
    ...invoiceLinesQuery(invoice.id, page),
    enabled: page > 1,
    placeholderData: keepPreviousData,
  })
  const pages = Math.max(1, Math.ceil(invoice.lineCount / itemsPerPage))
  const shown = page > 1 ? (asked.data?.rows ?? []) : invoice.lines
  return (
    <>
      <div className={classes.tableScroll}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Description</Table.Th>
              <Table.Th className={classes.right} w={70} visibleFrom="sm">
                Qty
              </Table.Th>
              <Table.Th className={classes.right} w={130} visibleFrom="sm">
                Unit Price
              </Table.Th>
              <Table.Th className={classes.right} w={130}>
                Total
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((line) => (
              <Table.Tr key={line.id}>
                <Table.Td>
                  {keepNumbersUnbroken(line.description)}
                  {(line.member || line.tierName) && (
                    <Text size="sm" c="dimmed">
                      {[memberNameIfMissing(line), line.member?.idNumber, tierIfMissing(line)]
                        .filter(Boolean)
                        .join(" · ")}
                    </Text>
                  )}
                  <Text size="sm" c="dimmed" hiddenFrom="sm">
                    {line.quantity} × <MoneyText cents={line.unitCents} />
                  </Text>
                </Table.Td>
                <Table.Td className={classes.right} visibleFrom="sm">
                  {line.quantity}
                </Table.Td>
                <Table.Td className={classes.right} visibleFrom="sm">
                  <MoneyText cents={line.unitCents} />
                </Table.Td>
                <Table.Td className={classes.right}>
                  <MoneyText cents={line.totalCents} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {asked.isError && page > 1 && (
        <LoadFailed
          error={asked.error}
          onRetry={asked.refetch}
          busy={asked.isFetching}
          title="Failed to load the lines"
        />
      )}
      {pages > 1 && (
        <Group justify="space-between" mt="xs">
          <Text c="dimmed" size="sm">
            {invoice.lineCount.toLocaleString("en-ZA")} lines
          </Text>
          <Pagination
            size="sm"
            total={pages}
            value={page}
            onChange={setPage}
            aria-busy={asked.isFetching || undefined}
            getControlProps={(control) => ({ "aria-label": `${control} page of lines` })}
          />
        </Group>
      )}
    </>
  )
}

function memberNameIfMissing({ member, description }: InvoiceLine): string | undefined {
  if (!member) return undefined
  const name = `${member.firstName} ${member.lastName}`
  return description.startsWith(name) ? undefined : name
}

function tierIfMissing({ tierName, description }: InvoiceLine): string | undefined {
  return tierName && !description.endsWith(tierName) ? tierName : undefined
}
