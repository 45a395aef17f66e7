import { Loader, Text } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import { type CustomDefinition, customReport, problemsOf } from "@milkwood/domain/reports/custom-report"
import type { ReportAnswer } from "@milkwood/domain/reports/report-shape"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { errorTextOf } from "../platform/errors.ts"
import { columnsOf } from "../ui/data-table.tsx"
import { useDisplay } from "../ui/display.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import classes from "./custom.module.css"
import { ReportPicture } from "./report-picture.tsx"
import { customPreviewQuery } from "./reports.api.ts"

const previewRowLimit = 10

type Row = ReportAnswer["rows"][number]

export function CustomPreview({ definition }: { definition: CustomDefinition }) {
  const [asked] = useDebouncedValue(definition, 350)
  const [problem] = problemsOf(asked)
  const isReady = problem === undefined
  const query = useQuery({ ...customPreviewQuery(asked), enabled: isReady, placeholderData: keepPreviousData })
  const { data, error, isFetching } = query
  return (
    <section className={classes.preview} aria-label="Preview" aria-busy={isFetching}>
      <h3>Preview</h3>
      {!isReady ? (
        <Text c="dimmed">
          {asked.fields.length === 0 ? "Select fields to see the first rows here." : problem.message}
        </Text>
      ) : error ? (
        <InlineError>{errorTextOf(error)}</InlineError>
      ) : data ? (
        <PreviewTable definition={asked} answer={data} isStale={query.isPlaceholderData} />
      ) : (
        <Loader size="sm" />
      )}
    </section>
  )
}

interface PreviewTableProps {
  definition: CustomDefinition
  answer: ReportAnswer
  isStale: boolean
}

function PreviewTable({ definition, answer, isStale }: PreviewTableProps) {
  const { dayFormat } = useDisplay()
  const report = customReport(definition, "")
  const { list } = report
  const columns = columnsOf<Row>(list)
  const { total, totalIsCapped, rows, dates } = answer
  const { one, many } = list.noun
  const days = [
    dates.from && `from ${formatDay(dates.from, dayFormat)}`,
    dates.to && `to ${formatDay(dates.to, dayFormat)}`,
  ]
  return (
    <div data-stale={isStale || undefined} className={classes.rows}>
      <p className={classes.count} role="status">
        <strong>
          {totalIsCapped && "More than "}
          {total.toLocaleString("en-ZA")} {total === 1 ? one : many}
        </strong>{" "}
        {days.filter(Boolean).join(" ")}
      </p>
      {rows.length === 0 ? (
        <Text c="dimmed">No {many} found.</Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: Scrollable content must be reachable by keyboard.
        <section className={classes.scroll} aria-label="First rows" tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                {columns.map(({ key, header, align }) => (
                  <th key={key} data-align={align}>
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, previewRowLimit).map((row) => (
                <tr key={row.id}>
                  {columns.map(({ key, cell, align }) => (
                    <td key={key} data-align={align}>
                      {row[key] === undefined ? "" : cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {report.chart && answer.chart && <ReportPicture report={report} points={answer.chart} isAsked />}
      {total > previewRowLimit && (
        <Text size="xs" c="dimmed">
          The first {previewRowLimit} rows are shown.
        </Text>
      )}
    </div>
  )
}
