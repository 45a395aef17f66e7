import { Group, Table, Text } from "@mantine/core"
import type { OpenInvoice } from "@milkwood/domain/receipts/receipt"
import { type AllocationInput, allocateOldestFirst } from "@milkwood/domain/receipts/receipt-shape"
import { DayText } from "../ui/day.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import { MoneyText } from "../ui/money.tsx"
import { MoneyInput } from "../ui/money-input.tsx"

interface AllocationFieldsProps {
  invoices: OpenInvoice[]
  availableCents: number
  value: Record<string, number | null>
  onChange: (value: Record<string, number | null>) => void
}

export function suggestAllocation(amountCents: number, invoices: OpenInvoice[]): Record<string, number | null> {
  return Object.fromEntries(
    allocateOldestFirst(amountCents, invoices).map((part) => [part.invoiceId, part.amountCents]),
  )
}

export function allocationsOf(value: Record<string, number | null>): AllocationInput[] {
  return Object.entries(value).flatMap(([invoiceId, amountCents]) => (amountCents ? [{ invoiceId, amountCents }] : []))
}

export function AllocationFields({ invoices, availableCents, value, onChange }: AllocationFieldsProps) {
  const allocated = allocationsOf(value).reduce((sum, part) => sum + part.amountCents, 0)
  const left = availableCents - allocated
  return (
    <div>
      <Table.ScrollContainer minWidth={260}>
        <Table aria-label="Allocation to invoices">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Invoice Number</Table.Th>
              <Table.Th visibleFrom="sm">Due</Table.Th>
              <Table.Th visibleFrom="sm" ta="right">
                Outstanding
              </Table.Th>
              <Table.Th w={{ base: 140, sm: 170 }}>Allocate</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {invoices.map((invoice) => {
              const amount = value[invoice.id] ?? null
              return (
                <Table.Tr key={invoice.id}>
                  <Table.Td>
                    <DocumentNumber>{invoice.number}</DocumentNumber>
                    <Text hiddenFrom="sm" size="xs" c="dimmed">
                      <MoneyText cents={invoice.outstandingCents} />
                      <br />
                      due <DayText day={invoice.dueOn} />
                    </Text>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <DayText day={invoice.dueOn} />
                  </Table.Td>
                  <Table.Td visibleFrom="sm" ta="right">
                    <MoneyText cents={invoice.outstandingCents} />
                  </Table.Td>
                  <Table.Td pe={3}>
                    <MoneyInput
                      aria-label={`Allocate to ${invoice.number}`}
                      size="xs"
                      value={amount}
                      error={(amount ?? 0) > invoice.outstandingCents ? "More than is outstanding" : undefined}
                      onChange={(cents) => onChange({ ...value, [invoice.id]: cents })}
                    />
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group justify="flex-end" gap="4px 20px" mt="xs">
        <Text c="dimmed">
          Allocated <MoneyText cents={allocated} />
        </Text>
        <Text c={left < 0 ? "red" : undefined} role={left < 0 ? "alert" : undefined}>
          {left < 0 ? "Over-allocated by " : "Unallocated credit "}
          <MoneyText cents={Math.abs(left)} />
        </Text>
      </Group>
    </div>
  )
}
