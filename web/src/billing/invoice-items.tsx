import { Button, Table, Text } from "@mantine/core"
import type { InvoiceLine } from "@milkwood/domain/billing/invoice-shape"
import { useState } from "react"
import { MoneyText } from "../ui/money.tsx"
import classes from "./invoice.module.css"

const shownAtFirst = 100

/** The items of an invoice; a long one shows its first hundred until the rest is asked for. */
export function InvoiceItems({ lines }: { lines: InvoiceLine[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? lines : lines.slice(0, shownAtFirst)
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
                  {line.description}
                  {(line.member || line.tierName) && (
                    <Text size="sm" c="dimmed">
                      {[nameUnlessSaid(line), line.member?.idNumber, tierUnlessSaid(line)].filter(Boolean).join(" · ")}
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
      {shown.length < lines.length && (
        <Button variant="default" size="compact-md" mt="xs" onClick={() => setAll(true)}>
          Show all {lines.length} items
        </Button>
      )}
    </>
  )
}

/** The member's name, where the description does not begin with it already. */
function nameUnlessSaid({ member, description }: InvoiceLine): string | undefined {
  if (!member) return undefined
  const name = `${member.firstName} ${member.lastName}`
  return description.startsWith(name) ? undefined : name
}

/** The tier's name, where the description does not end with it already. */
function tierUnlessSaid({ tierName, description }: InvoiceLine): string | undefined {
  return tierName && !description.endsWith(tierName) ? tierName : undefined
}
