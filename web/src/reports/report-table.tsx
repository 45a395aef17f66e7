import { Text } from "@mantine/core"
import { columnTotalOf } from "@milkwood/domain/kernel/column-total"
import type { ListWords } from "@milkwood/domain/kernel/list"
import type { ReportWords } from "@milkwood/domain/reports/report"
import type { ReportAnswer } from "@milkwood/domain/reports/report-shape"
import { useQuery } from "@tanstack/react-query"
import { type LinkProps, linkOptions } from "@tanstack/react-router"
import { columnsOf, DataTable, type ListQuery, tableOf } from "../ui/data-table.tsx"
import type { ListPlace, ListSearch } from "../ui/list-address.ts"
import { MoneyText } from "../ui/money.tsx"
import { SummaryCards } from "../ui/summary-cards.tsx"
import { ReportPicture } from "./report-picture.tsx"

type Row = ReportAnswer["rows"][number]

const recordLinks: Record<string, (id: string) => LinkProps> = {
  policy: (policyId) => linkOptions({ to: "/policies/$policyId", params: { policyId } }),
  member: (memberId) => linkOptions({ to: "/members/$memberId", params: { memberId } }),
  claim: (claimId) => linkOptions({ to: "/claims/$claimId", params: { claimId } }),
  invoice: (invoiceId) => linkOptions({ to: "/invoices/$invoiceId", params: { invoiceId } }),
  receipt: (receiptId) => linkOptions({ to: "/finance/receipting/$receiptId", params: { receiptId } }),
  payout: (payoutId) => linkOptions({ to: "/finance/claims-payments/$payoutId", params: { payoutId } }),
  refund: (refundId) => linkOptions({ to: "/finance/premium-refunds/$refundId", params: { refundId } }),
}

interface ReportTableProps<Search extends ListSearch> {
  report: ReportWords
  /** Key under which column choices are stored; defaults to the list's key. */
  name?: string
  list: ListPlace<Search>
  query: (search: Search) => ListQuery<ReportAnswer>
  empty: string
}

export function ReportTable<Search extends ListSearch>({ report, name, list, query, empty }: ReportTableProps<Search>) {
  const { data, isError } = useQuery(query(list.search))
  const { columns, sums = [], noun }: ListWords = report.list
  const titled = Object.entries(columns).filter(([name, { hidden }]) => sums.includes(name) && !hidden)
  const ratios = Object.entries(columns).filter(([, { ratio, hidden }]) => ratio && !hidden)
  return (
    <>
      {titled.length > 0 && data?.totalIsCapped && (
        <Text size="sm" c="dimmed">
          Totals are calculated for up to {data.total.toLocaleString("en-ZA")} rows. Filter the report, or generate it:
          the file includes totals.
        </Text>
      )}
      {titled.length > 0 && !data?.totalIsCapped && (
        <SummaryCards
          failed={isError}
          cards={[...ratios, ...titled].slice(0, 6).map(([name, column]) => {
            const { title, kind, ratio, lacks } = column
            const total = data?.sums ? columnTotalOf(name, column, data.sums) : undefined
            const missing = (lacks && data?.sums?.[lacks]) || 0
            if (ratio)
              return { label: title.replace(/ %$/, ""), value: total === undefined ? undefined : formatPercent(total) }
            return {
              label: title,
              value: typeof total !== "number" ? undefined : kind === "money" ? <MoneyText cents={total} /> : total,
              ...(missing > 0 && { hint: `${missing.toLocaleString("en-ZA")} without a rate, not included` }),
            }
          })}
        />
      )}
      {data?.chart && <ReportPicture report={report} points={data.chart} />}
      <DataTable<Row, Search, ReportAnswer>
        {...tableOf<Row>(report.list)}
        {...(name !== undefined && { name })}
        list={list}
        query={query}
        columns={columnsOf<Row>(report.list)}
        rowId={(row) => row.id}
        rowName={(row) => String(Object.keys(columns).map((name) => row[name])[0] ?? report.name)}
        rowLink={recordLinkOf}
        empty={{ title: `No ${noun.many} found`, words: empty }}
        failed="Failed to load the report"
      />
    </>
  )
}

const formatPercent = (ratio: number | null): string => (ratio === null ? "–" : `${ratio.toLocaleString("en-ZA")} %`)

function recordLinkOf({ opens }: Row): LinkProps | undefined {
  const record = opens as { kind: string; id: string } | null | undefined
  return record ? recordLinks[record.kind]?.(record.id) : undefined
}
