import { Table } from "@mantine/core"
import type { CreditNoteDetail } from "@milkwood/domain/billing/credit-note-shape"
import { creditKindNames } from "@milkwood/domain/billing/credit-parts"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { useSession } from "../../platform/session.ts"
import { keepNumbersUnbroken } from "../../ui/breakable.tsx"
import { DayText, InstantText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { headerStepsOf } from "../../ui/record-actions.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { Timeline } from "../../ui/timeline.tsx"
import { useCreditNoteActions } from "../credit-note-actions.tsx"
import { DeliveryPanel } from "../delivery-panel.tsx"
import classes from "../invoice.module.css"

export const Route = createFileRoute("/_app/invoices/credit-notes/$creditNoteId")({
  staticData: { permission: "invoices.read" },
  component: CreditNotePage,
})

const back = { to: "/invoices/credit-notes", label: "Back to Credit notes" } as const

function CreditNotePage() {
  const { creditNoteId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(api.billing.creditNotes.detail.queryOptions({ input: { creditNoteId } }))}
      title="Credit note"
      back={back}
      loading="Loading the credit note..."
      failed="Failed to load the credit note"
      notFound="Credit note not found"
    >
      {(note) => <CreditNote key={creditNoteId} note={note} />}
    </LoadedRecord>
  )
}

function CreditNote({ note }: { note: CreditNoteDetail }) {
  const { of, dialog } = useCreditNoteActions()
  const { can } = useSession()
  const policy = <DocumentNumber>{note.policyNumber}</DocumentNumber>
  return (
    <RecordPage
      list="credit-notes"
      id={note.id}
      back={back}
      number={note.number}
      title={note.groupName}
      amount={<MoneyText cents={note.totalCents} />}
      {...headerStepsOf(note, of(note), [])}
      side={
        <>
          {can("invoices.write") && <DeliveryPanel mails={note.mails} none="Not emailed." />}
          <SidePanel title="Activity">
            <Timeline
              key={note.id}
              entries={note.timeline}
              older={(before) => api.billing.creditNotes.activity.call({ creditNoteId: note.id, before })}
            />
          </SidePanel>
        </>
      }
    >
      <section className={classes.card} aria-labelledby="credit">
        <h2 className={classes.cardTitle} id="credit">
          Credit
        </h2>
        <div className={classes.columns}>
          <FactList
            rows={[
              [
                "Invoice",
                <Link key="invoice" to="/invoices/$invoiceId" params={{ invoiceId: note.invoiceId }}>
                  <DocumentNumber>{note.invoiceNumber}</DocumentNumber>
                </Link>,
              ],
              [
                "Policy",
                can("policies.read") ? (
                  <Link key="policy" to="/policies/$policyId" params={{ policyId: note.policyId }}>
                    {policy}
                  </Link>
                ) : (
                  policy
                ),
              ],
              ["Date", <DayText key="date" day={note.creditedOn} />],
              ["Issued", <InstantText key="issued" at={note.createdAt} />],
              ["Issued by", note.createdByName],
            ]}
          />
          <FactList
            rows={[
              ["Kind", creditKindNames[note.kind]],
              ["Excl. VAT", <MoneyText key="net" cents={note.netCents} />],
              ["VAT", <MoneyText key="vat" cents={note.vatCents} />],
              ["Total credited", <MoneyText key="total" cents={note.totalCents} />],
            ]}
          />
        </div>
      </section>
      <section className={classes.card} aria-labelledby="reason">
        <h2 className={classes.cardTitle} id="reason">
          Reason
        </h2>
        {/* The reason of a run's credit note has one sentence per member. */}
        {note.reason.split(" · ").map((sentence) => (
          <p key={sentence} className={classes.notes}>
            {keepNumbersUnbroken(sentence)}
          </p>
        ))}
      </section>
      {note.kind === "correction" && <Lines note={note} />}
      {dialog}
    </RecordPage>
  )
}

function Lines({ note }: { note: CreditNoteDetail }) {
  return (
    <section className={classes.card} aria-labelledby="lines">
      <h2 className={classes.cardTitle} id="lines">
        Credited lines
      </h2>
      <div className={classes.tableScroll}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Description</Table.Th>
              <Table.Th>Month</Table.Th>
              <Table.Th className={classes.right}>Excl. VAT</Table.Th>
              <Table.Th className={classes.right} visibleFrom="sm">
                VAT
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {note.lines.map(({ id, description, billedMonth, netCents, vatCents }) => (
              <Table.Tr key={id}>
                <Table.Td>{description}</Table.Td>
                <Table.Td>{billedMonth ? formatMonth(billedMonth) : "–"}</Table.Td>
                <Table.Td className={classes.right}>
                  <MoneyText cents={netCents} />
                </Table.Td>
                <Table.Td className={classes.right} visibleFrom="sm">
                  <MoneyText cents={vatCents} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {note.lineCount > note.lines.length && (
        <p className={classes.quiet}>
          The first {note.lines.length} of {note.lineCount} lines.
        </p>
      )}
    </section>
  )
}
