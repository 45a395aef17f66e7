import { Group, Text } from "@mantine/core"
import type { ReportId } from "@milkwood/domain/reports/catalogue"
import { reportOf } from "@milkwood/domain/reports/catalogue"
import type { ReportFormat } from "@milkwood/domain/reports/report"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { useDisplay } from "../ui/display.tsx"
import { GenerateFrame } from "./generate-frame.tsx"
import { type Dates, ReportDates, reportDatesOf } from "./report-dates.tsx"
import { type ReportParameters, reportParametersOf, useGenerateReport } from "./reports.api.ts"
import { RunUnderWay } from "./run-under-way.tsx"

interface GenerateDialogProps {
  report: ReportId
  /** The filters on screen, without dates. */
  parameters?: ReportParameters
  /** Overrides the report's name, for quick reports. */
  name?: string
  onClose: () => void
}

export default function GenerateDialog({ report: id, parameters = {}, name, onClose }: GenerateDialogProps) {
  const report = reportOf(id)
  const { today } = useDisplay()
  const [dates, setDates] = useState<Dates>(() => reportDatesOf(report, today, parameters as Dates))
  const [format, setFormat] = useState<ReportFormat>("pdf")
  const [key, setKey] = useState(newKey)
  const [under, setUnder] = useState<{ runId: string; jobId: string }>()
  const generate = useGenerateReport()
  const start = async () => {
    const query = reportParametersOf({ ...parameters, ...dates })
    const { page: _page, pageSize: _size, after: _after, before: _before, ...asked } = query
    const made = await generate
      .mutateAsync({ report: id, format, query: asked, idempotencyKey: key })
      .catch(() => undefined)
    setKey(newKey())
    setUnder(made)
  }
  return (
    <GenerateFrame
      name={name ?? report.name}
      underWay={under && <RunUnderWay key={under.runId} {...under} />}
      format={format}
      onFormat={setFormat}
      error={generate.error}
      isStarting={generate.isPending}
      onGenerate={() => void start()}
      onClose={onClose}
    >
      <Text size="sm">{report.description}</Text>
      <Group gap="xs">
        <ReportDates report={report} value={dates} onChange={setDates} />
      </Group>
    </GenerateFrame>
  )
}
