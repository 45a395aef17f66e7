import { Text } from "@mantine/core"
import type { ListedCreditNote } from "@milkwood/domain/billing/credit-note-shape"
import { creditNotesList } from "@milkwood/domain/billing/credit-notes.list"
import { creditKindNames } from "@milkwood/domain/billing/credit-parts"
import { deliveryExceptions } from "@milkwood/domain/billing/delivery"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { mailStateLooks } from "../../ui/mail-state-looks.ts"
import { PageHeader } from "../../ui/page-header.tsx"
import { allowedSteps } from "../../ui/record-actions.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { useCreditNoteActions } from "../credit-note-actions.tsx"
import classes from "../invoice.module.css"

export const Route = createFileRoute("/_app/invoices/credit-notes")({
  ...listAddress(creditNotesList),
  staticData: { permission: "invoices.read" },
  component: CreditNotesPage,
})

const columns = columnsOf<ListedCreditNote, typeof creditNotesList>(creditNotesList, {
  invoice: {
    cell: ({ invoiceId, invoiceNumber }) => (
      <Link to="/invoices/$invoiceId" params={{ invoiceId }}>
        <DocumentNumber>{invoiceNumber}</DocumentNumber>
      </Link>
    ),
  },
  creditedOn: { width: 112 },
  kind: {
    cell: ({ kind, mail }) => (
      <span className={classes.statusCell}>
        {creditKindNames[kind]}
        {mail !== null && deliveryExceptions[mail] && (
          <StatusBadge status={mailStateLooks[mail]} label={deliveryExceptions[mail]} />
        )}
      </span>
    ),
  },
  // A run's reason can list many members; the page shows it in full.
  reason: {
    wide: true,
    cell: ({ reason }) => (
      <Text inherit lineClamp={2}>
        {reason}
      </Text>
    ),
  },
})

const view = ({ id }: ListedCreditNote) =>
  linkOptions({ to: "/invoices/credit-notes/$creditNoteId", params: { creditNoteId: id } })

function CreditNotesPage() {
  const list = useListPlace(Route.useSearch())
  const { of, dialog } = useCreditNoteActions()
  return (
    <ListPage>
      <PageHeader title="Credit notes" subtitle="Credits on sent invoices, with their reasons" />
      <DataTable
        {...tableOf(creditNotesList)}
        savedViews
        list={list}
        query={(search) => api.billing.creditNotes.list.queryOptions({ input: search })}
        exportFrom={{ path: "/api/credit-notes" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={view}
        rowActions={(row) => [{ label: "View credit note", link: view(row) }, ...allowedSteps(row, of(row))]}
        pageTotal={{ label: "Credited", of: (row) => row.totalCents }}
        empty={{
          title: "No credit notes yet",
          words: "A credit note corrects a sent invoice. Create one on the invoice's page.",
        }}
        noMatch="No credit notes match."
        failed="Failed to load credit notes"
      />
      {dialog}
    </ListPage>
  )
}
