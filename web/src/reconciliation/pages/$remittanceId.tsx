import { formatMonth } from "@milkwood/domain/kernel/calendar"
import type { LaidRemittanceRow, RemittanceDetail } from "@milkwood/domain/reconciliation/remittance.contract"
import { remittanceOutcomeNames, remittanceOutcomes } from "@milkwood/domain/reconciliation/remittance-outcome"
import { remittanceRowsList } from "@milkwood/domain/reconciliation/remittance-rows.list"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../../platform/api.ts"
import { useConfirm } from "../../ui/confirm.tsx"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { InstantText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { listAddress, untypedListAddress, useLooseListPlace } from "../../ui/list-address.ts"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { useCommand } from "../../ui/use-command.ts"
import { usePhone } from "../../ui/use-phone.ts"
import classes from "../reconciliation.module.css"
import { RemittanceColumnsPanel } from "../remittance-columns-panel.tsx"

export const Route = createFileRoute("/_app/invoices/reconciliation/remittances/$remittanceId")({
  ...untypedListAddress,
  staticData: { permission: "collection.read" },
  component: RemittancePage,
})

const address = listAddress(remittanceRowsList)
const back = { to: "/invoices/reconciliation/remittances", label: "Back to Remittance lists" } as const

function RemittancePage() {
  const { remittanceId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(api.reconciliation.remittances.detail.queryOptions({ input: { remittanceId } }))}
      title="Remittance list"
      back={back}
      loading="Loading the list..."
      failed="Failed to load the list"
      notFound="Remittance list not found"
    >
      {(found) => <Remittance key={remittanceId} found={found} />}
    </LoadedRecord>
  )
}

function Remittance({ found }: { found: RemittanceDetail }) {
  const [choosing, setChoosing] = useState(false)
  const remove = useRemoveRemittance(found)
  const may = (action: "lay" | "remove") => found.allowedActions.includes(action)
  const isLaid = found.differingCount !== null
  const mapping = may("lay") && (!isLaid || choosing)
  return (
    <RecordPage
      list="remittances"
      id={found.id}
      back={back}
      title={found.fileName}
      name={found.fileName}
      subtitle={`Remittance list of ${found.groupName} for ${formatMonth(found.month)}`}
      badge={isLaid && <DifferenceBadge found={found} />}
      actions={[
        ...(may("lay") && isLaid ? [{ label: "Change columns", onClick: () => setChoosing(true) }] : []),
        ...(found.hasFile ? [{ label: "Download file", href: `/api/remittances/${found.id}/file` }] : []),
        {
          label: "Open invoice",
          link: linkOptions({ to: "/invoices/$invoiceId", params: { invoiceId: found.invoiceId } }),
        },
        ...(may("remove") ? [{ label: "Remove list", danger: true, onClick: remove }] : []),
      ]}
    >
      {mapping && (
        <RemittanceColumnsPanel
          key={found.version}
          found={found}
          onCancel={isLaid ? () => setChoosing(false) : undefined}
          onLaid={() => setChoosing(false)}
        />
      )}
      {isLaid && !mapping && (
        <>
          <Totals found={found} />
          <Rows remittanceId={found.id} />
        </>
      )}
      <FilePanel found={found} />
    </RecordPage>
  )
}

const DifferenceBadge = ({ found: { differingCount } }: { found: RemittanceDetail }) =>
  differingCount === 0 ? (
    <StatusBadge status="matched" label="Agrees" size="md" />
  ) : (
    <StatusBadge
      status="pending"
      label={differingCount === 1 ? "1 difference" : `${differingCount!.toLocaleString("en-ZA")} differences`}
      size="md"
    />
  )

function useRemoveRemittance({ id: remittanceId, version, fileName }: RemittanceDetail) {
  const confirm = useConfirm()
  const navigate = useNavigate()
  const { mutateAsync } = useCommand(api.reconciliation.remittances.remove, {
    success: "Remittance list removed",
    failure: "Failed to remove the list",
  })
  return async () => {
    const isGone = await confirm({
      title: `Remove ${fileName}?`,
      body: "The file and the comparison are deleted. The invoice's activity still shows them.",
      confirm: "Remove list",
      danger: true,
      action: () => mutateAsync({ remittanceId, version }),
    })
    if (isGone) void navigate({ to: back.to })
  }
}

interface TotalRow {
  name: string
  count?: number
  paidCents: number
  billedCents: number
}

function Totals({ found }: { found: RemittanceDetail }) {
  const { totals, paidCents, billedCents, otherInvoiceCents, invoiceTotalCents } = found
  const phone = usePhone()
  const parts: TotalRow[] = remittanceOutcomes.map((outcome) => ({
    name: remittanceOutcomeNames[outcome],
    ...totals[outcome],
  }))
  const all: TotalRow = { name: "All members", paidCents, billedCents }
  return (
    <SidePanel title="Totals">
      {phone ? (
        [...parts, all].map((total) => <PhoneTotal key={total.name} {...total} />)
      ) : (
        <TotalsTable parts={parts} all={all} />
      )}
      <p className={classes.words}>
        Billed amounts include VAT, before discount. {found.invoiceNumber} totals{" "}
        <MoneyText cents={invoiceTotalCents} />
        {otherInvoiceCents !== 0 && (
          <>
            , including <MoneyText cents={otherInvoiceCents} /> for other lines, discount and VAT rounding
          </>
        )}
        .
      </p>
    </SidePanel>
  )
}

const TotalsTable = ({ parts, all }: { parts: TotalRow[]; all: TotalRow }) => (
  <table className={classes.totals} aria-label="Totals">
    <thead>
      <tr>
        <th scope="col">Members</th>
        <th scope="col">Number</th>
        <th scope="col">On the list</th>
        <th scope="col">Billed</th>
        <th scope="col">Difference</th>
      </tr>
    </thead>
    <tbody>
      {[...parts, all].map(({ name, count, paidCents, billedCents }) => (
        <tr key={name} data-total={count === undefined || undefined}>
          <th scope="row">{name}</th>
          <td>{count?.toLocaleString("en-ZA")}</td>
          {[paidCents, billedCents, paidCents - billedCents].map((cents, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: The three columns have a fixed order.
            <td key={at}>
              <MoneyText cents={cents} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

const PhoneTotal = ({ name, count, paidCents, billedCents }: TotalRow) => (
  <section className={classes.total} aria-label={name}>
    <div className={classes.totalName}>
      <span>{name}</span>
      {count !== undefined && <span>{count.toLocaleString("en-ZA")}</span>}
    </div>
    {count !== 0 && (
      <FactList
        rows={[
          ["On the list", <MoneyText key="list" cents={paidCents} />],
          ["Billed", <MoneyText key="billed" cents={billedCents} />],
          ["Difference", <MoneyText key="difference" cents={paidCents - billedCents} />],
        ]}
      />
    )}
  </section>
)

const rowStateLooks = { agrees: "matched", other_amount: "pending", not_billed: "excess", not_paid: "missing" } as const

const columns = columnsOf<LaidRemittanceRow, typeof remittanceRowsList>(remittanceRowsList, {
  name: { width: 220, wide: true },
  memberNumber: { width: 120 },
  line: { width: 64 },
  outcome: {
    width: 160,
    cell: ({ outcome }) => <StatusBadge status={rowStateLooks[outcome]} label={remittanceOutcomeNames[outcome]} />,
  },
  words: { width: 280 },
})

function Rows({ remittanceId }: { remittanceId: string }) {
  const list = useLooseListPlace(address, Route.useSearch())
  const { filters: _, ...table } = tableOf<LaidRemittanceRow>(remittanceRowsList)
  return (
    <DataTable
      {...table}
      list={list}
      query={(search) => api.reconciliation.remittances.rows.queryOptions({ input: { ...search, remittanceId } })}
      exportFrom={{ path: "/api/remittance-rows", input: (search) => ({ ...search, remittanceId }) }}
      columns={columns}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      rowActions={(row) =>
        row.memberId
          ? [
              {
                label: "View member",
                link: linkOptions({ to: "/members/$memberId", params: { memberId: row.memberId } }),
              },
            ]
          : []
      }
      pageTotal={{ label: "Difference", of: (row) => row.differenceCents }}
      empty={{ title: "The list has no members" }}
      noMatch="No members match."
      failed="Failed to load the members"
    />
  )
}

function FilePanel({ found }: { found: RemittanceDetail }) {
  return (
    <SidePanel title="File">
      <FactList
        rows={[
          [
            "Invoice",
            <Link key="invoice" to="/invoices/$invoiceId" params={{ invoiceId: found.invoiceId }}>
              <DocumentNumber>{found.invoiceNumber}</DocumentNumber>
            </Link>,
          ],
          ["Policy", found.policyNumber],
          ["Uploaded", <InstantText key="at" at={found.createdAt} />],
          ["Uploaded by", found.createdByName],
        ]}
      />
      {found.notes.length > 0 && (
        <ul className={classes.notes}>
          {found.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </SidePanel>
  )
}
