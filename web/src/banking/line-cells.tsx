import { Table } from "@mantine/core"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { withUnbrokenNumbers } from "../ui/breakable.tsx"
import { DayText } from "../ui/day.tsx"
import { MoneyText } from "../ui/money.tsx"
import classes from "./banking.module.css"

export const LineHeadings = () => (
  <>
    <Table.Th>Date</Table.Th>
    <Table.Th>Description</Table.Th>
    <Table.Th ta="right">Amount</Table.Th>
    <Table.Th ta="right" visibleFrom="sm">
      Balance
    </Table.Th>
  </>
)

interface StatementLine {
  day: Day
  text: string
  reference: string
  amountCents: Cents
  balanceCents: Cents | null
}

export const LineCells = ({ line }: { line: StatementLine }) => (
  <>
    <Table.Td className={classes.narrow}>
      <DayText day={line.day} />
    </Table.Td>
    <Table.Td>
      {withUnbrokenNumbers(line.text)}
      {line.reference && withUnbrokenNumbers(` · ${line.reference}`)}
    </Table.Td>
    <Table.Td ta="right" className={classes.narrow}>
      <MoneyText cents={line.amountCents} />
    </Table.Td>
    <Table.Td ta="right" className={classes.narrow} visibleFrom="sm">
      {line.balanceCents === null ? "–" : <MoneyText cents={line.balanceCents} />}
    </Table.Td>
  </>
)
