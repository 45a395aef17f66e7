import { Table } from "@mantine/core"
import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import { Link } from "@tanstack/react-router"
import { DayText } from "../ui/day.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import { MoneyText } from "../ui/money.tsx"
import classes from "./invoice.module.css"

export function Payments({ payments }: { payments: InvoiceDetail["payments"] }) {
  if (payments.length === 0) return null
  return (
    <section className={classes.card} aria-labelledby="payments">
      <h2 className={classes.cardTitle} id="payments">
        Payments
      </h2>
      <div className={classes.tableScroll}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Receipt</Table.Th>
              <Table.Th>Received</Table.Th>
              <Table.Th className={classes.right}>Allocated</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {payments.map((payment) => (
              <Table.Tr key={payment.receiptId}>
                <Table.Td>
                  <Link to="/finance/receipting/$receiptId" params={{ receiptId: payment.receiptId }}>
                    <DocumentNumber>{payment.receiptNumber}</DocumentNumber>
                  </Link>
                </Table.Td>
                <Table.Td>
                  <DayText day={payment.receivedOn} />
                </Table.Td>
                <Table.Td className={classes.right}>
                  <MoneyText cents={payment.amountCents} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  )
}

export function CreditNotes({ notes }: { notes: InvoiceDetail["creditNotes"] }) {
  if (notes.length === 0) return null
  return (
    <section className={classes.card} aria-labelledby="credit-notes">
      <h2 className={classes.cardTitle} id="credit-notes">
        Credit notes
      </h2>
      <div className={classes.tableScroll}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Credit note</Table.Th>
              <Table.Th>Date</Table.Th>
              <Table.Th>Reason</Table.Th>
              <Table.Th className={classes.right} visibleFrom="sm">
                VAT
              </Table.Th>
              <Table.Th className={classes.right}>Total</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {notes.map((note) => (
              <Table.Tr key={note.id}>
                <Table.Td>
                  <Link to="/invoices/credit-notes/$creditNoteId" params={{ creditNoteId: note.id }}>
                    <DocumentNumber>{note.number}</DocumentNumber>
                  </Link>
                </Table.Td>
                <Table.Td>
                  <DayText day={note.creditedOn} />
                </Table.Td>
                <Table.Td>{note.reason}</Table.Td>
                <Table.Td className={classes.right} visibleFrom="sm">
                  <MoneyText cents={note.vatCents} />
                </Table.Td>
                <Table.Td className={classes.right}>
                  <MoneyText cents={note.totalCents} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  )
}
