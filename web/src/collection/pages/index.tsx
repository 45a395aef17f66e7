import { ActionIcon, Group } from "@mantine/core"
import type { AgeAmounts } from "@milkwood/domain/billing/ageing"
import { type collectionViews, standingNames } from "@milkwood/domain/collection/collection"
import type { CollectionRow } from "@milkwood/domain/collection/collection.contract"
import { collectionList } from "@milkwood/domain/collection/collection.list"
import { firstOfMonth, formatMonth, isoMonthOf } from "@milkwood/domain/kernel/calendar"
import { IconEye, IconFileText, IconMail, IconPhone } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, linkOptions } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { api } from "../../platform/api.ts"
import { WaitingWriteOffs } from "../../receipts/write-offs.tsx"
import { type Column, columnsOf, DataTable, type RowAction, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { DayText } from "../../ui/day.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { AgeingBar } from "../ageing-bar.tsx"
import { CallDialog, telHref } from "../call-dialog.tsx"
import classes from "../collection.module.css"
import { BulkReminderDialog, MailDialog } from "../mail-dialog.tsx"
import { monthsAround } from "../months.ts"

export const Route = createFileRoute("/_app/invoices/collection")({
  ...listAddress(collectionList),
  staticData: { permission: "collection.read" },
  component: CollectionPage,
})

const standingLooks = { promised: "promised", kept: "kept_promise", broken: "broken_promise", disputed: "disputed" }

const columns = columnsOf<CollectionRow, typeof collectionList>(collectionList, {
  groupName: {
    width: 200,
    wide: true,
    cell: ({ groupName, policyNumber, standing, promisedOn }) => (
      <>
        {groupName}
        <span className={classes.standing}>
          <DocumentNumber>{policyNumber}</DocumentNumber>
        </span>
        {standing && (
          <span className={classes.standing}>
            {standingNames[standing]} {standing === "promised" && <DayText day={promisedOn} />}
          </span>
        )}
      </>
    ),
  },
  // Hidden to fit a desktop screen; the number is also under the group's name.
  policyNumber: { width: 132, hidden: true },
  expected: { width: 100 },
  collected: { width: 100 },
  outstanding: { width: 110 },
  credit: { header: "Credit", width: 82 },
  rate: { header: "Rate", width: 54, cell: ({ rate }) => (rate === null ? "–" : `${rate} %`) },
  lastPaymentOn: { width: 98 },
  status: {
    width: 106,
    cell: ({ status, overdueCents, overdueSince }) => (
      <>
        <StatusBadge status={status} />
        {overdueSince && (
          <>
            <span className={classes.standing}>
              <MoneyText cents={overdueCents} />
            </span>
            <span className={classes.standing}>
              since <DayText day={overdueSince} />
            </span>
          </>
        )}
      </>
    ),
  },
  // Shown below the group's name to keep the table narrow.
  standing: {
    width: 150,
    hidden: true,
    cell: ({ standing, promisedOn }) =>
      standing === null ? (
        "–"
      ) : standing === "promised" ? (
        <span>
          <StatusBadge status="promised" /> <DayText day={promisedOn} />
        </span>
      ) : (
        <StatusBadge status={standingLooks[standing]} />
      ),
  },
  contactName: { width: 150, hidden: true },
  phone: {
    width: 130,
    hidden: true,
    cell: ({ phone }) => (phone === "" ? "–" : <a href={telHref(phone)}>{phone}</a>),
  },
})

const withActionColumns = (
  call: (row: CollectionRow) => void,
  mail: (row: CollectionRow) => void,
): Column<CollectionRow>[] => {
  const ageing: Column<CollectionRow> = {
    key: "ageing",
    header: "Ageing",
    width: 76,
    cell: (row: AgeAmounts) => <AgeingBar amounts={row} />,
  }
  const acts: Column<CollectionRow> = {
    key: "acts",
    header: "Contact",
    width: 78,
    cell: (row) => (
      <Group gap={4} wrap="nowrap">
        {row.allowedActions.includes("call") && (
          <ActionIcon
            variant="subtle"
            size={28}
            aria-label={`Call ${row.groupName}`}
            title="Call"
            onClick={() => call(row)}
          >
            <IconPhone size={16} aria-hidden />
          </ActionIcon>
        )}
        {row.allowedActions.includes("remind") && (
          <ActionIcon
            variant="subtle"
            size={28}
            aria-label={`Email ${row.groupName}`}
            title="Email"
            onClick={() => mail(row)}
          >
            <IconMail size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
    ),
  }
  const after = (key: string) => columns.findIndex((column) => column.key === key) + 1
  return columns.toSpliced(after("status"), 0, acts).toSpliced(after("lastPaymentOn"), 0, ageing)
}

function CollectionPage() {
  const list = useListPlace(Route.useSearch())
  const { today } = useDisplay()
  const [calling, setCalling] = useState<CollectionRow>()
  const [mailing, setMailing] = useState<CollectionRow>()
  const [reminding, setReminding] = useState<string[]>()
  const { data, isError } = useQuery(
    api.collection.list.queryOptions({ input: list.search, placeholderData: (before) => before }),
  )
  const cards = data?.cards
  const { view, month } = list.search
  const period = month === "all" ? "all months" : formatMonth(month ? `${month}-01` : today)
  const table = tableOf<CollectionRow>(collectionList)
  const shown = useMemo(() => withActionColumns(setCalling, setMailing), [])

  const card = (to: (typeof collectionViews)[number] | undefined) => ({
    active: to !== undefined && view === to,
    link: linkOptions({
      to: "/invoices/collection",
      search: { ...list.search, page: 1, view: view === to ? undefined : to },
    }),
  })
  const actions = (row: CollectionRow): RowAction[] => [
    ...(row.allowedActions.includes("call")
      ? [{ label: "Call", icon: <IconPhone size={16} />, onClick: () => setCalling(row) }]
      : []),
    ...(row.allowedActions.includes("remind")
      ? [{ label: "Email", icon: <IconMail size={16} />, onClick: () => setMailing(row) }]
      : []),
    {
      label: "Statement of account",
      icon: <IconFileText size={16} />,
      link: linkOptions({ to: "/policies/$policyId/statement", params: { policyId: row.policyId } }),
    },
    {
      label: "View policy",
      icon: <IconEye size={16} />,
      link: linkOptions({ to: "/policies/$policyId", params: { policyId: row.policyId } }),
    },
  ]
  return (
    <ListPage>
      <PageHeader
        title="Premium Collection"
        subtitle={`Premiums billed for ${period}. Status and ageing cover everything owed today`}
      />
      <SummaryCards
        failed={isError}
        cards={[
          { label: "Expected", value: cards && <MoneyText cents={cards.expectedCents} />, ...card(undefined) },
          {
            label: "Collected",
            value: cards && <MoneyText cents={cards.collectedCents} />,
            ...(cards &&
              cards.creditCents > 0 && {
                hint: (
                  <>
                    and <MoneyText cents={cards.creditCents} /> unallocated credit
                  </>
                ),
              }),
            ...card("collected"),
          },
          {
            label: "Outstanding",
            value: cards && <MoneyText cents={cards.outstandingCents} />,
            ...card("outstanding"),
          },
          {
            label: "Collection rate",
            value: cards && (cards.rate === null ? "–" : `${cards.rate} %`),
            ...card("behind"),
          },
        ]}
      />
      <WaitingWriteOffs />
      <DataTable
        {...table}
        filters={withFilterChoices(
          table.filters,
          { month: monthsAround(today).filter(({ id }) => id !== isoMonthOf(today)) },
          { month: formatMonth(firstOfMonth(today)) },
        )}
        savedViews
        list={list}
        query={(search) => api.collection.list.queryOptions({ input: search })}
        exportFrom={{ path: "/api/collection" }}
        columns={shown}
        rowId={(row) => row.id}
        rowName={(row) => `${row.groupName}, ${row.policyNumber}`}
        rowLink={(row) =>
          linkOptions({ to: "/policies/$policyId", params: { policyId: row.policyId }, search: { tab: "collection" } })
        }
        rowActions={actions}
        bulkActions={[
          {
            label: "Email reminders",
            icon: <IconMail size={16} />,
            run: (selection) => {
              if ("ids" in selection) setReminding(selection.ids)
              return false
            },
          },
        ]}
        pageTotal={{ label: "Outstanding", of: (row) => row.outstandingCents }}
        empty={{
          title: `Nothing billed for ${period}`,
          words: "No invoices were sent and no credit was received. Choose another month, or all months.",
        }}
        failed="Failed to load premium collection"
      />
      {mailing && <MailDialog kind="reminder" policy={mailing} onClose={() => setMailing(undefined)} />}
      {reminding && <BulkReminderDialog policyIds={reminding} onClose={() => setReminding(undefined)} />}
      {calling && <CallDialog policy={calling} onClose={() => setCalling(undefined)} />}
    </ListPage>
  )
}
