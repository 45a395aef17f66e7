import { Button, Group, Modal, SegmentedControl, Stack, Text } from "@mantine/core"
import type { ReportId } from "@milkwood/domain/reports/catalogue"
import { reportOf } from "@milkwood/domain/reports/catalogue"
import { type ReportFormat, reportFormatNames, reportFormats } from "@milkwood/domain/reports/report"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { errorText } from "../platform/errors.ts"
import { useDisplay } from "../ui/display.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { useHolding } from "../ui/unsaved.ts"
import { type Dates, datesOf, ReportDates } from "./report-dates.tsx"
import { parametersIn, type ReportParameters, useGenerateReport } from "./reports.api.ts"
import { RunUnderWay } from "./run-under-way.tsx"

interface GenerateDialogProps {
  report: ReportId
  /** What it is narrowed to beside its dates: as it is on screen. */
  parameters?: ReportParameters
  /** What it is called here: a quick report has a name of its own. */
  name?: string
  onClose: () => void
}

/** Has a report made as a file: dates and format, then its progress, then the file. */
export default function GenerateDialog({ report: id, parameters = {}, name, onClose }: GenerateDialogProps) {
  const report = reportOf(id)
  const { today } = useDisplay()
  const [dates, setDates] = useState<Dates>(() => datesOf(report, today, parameters as Dates))
  const [format, setFormat] = useState<ReportFormat>("pdf")
  const [key, setKey] = useState(newKey)
  const [under, setUnder] = useState<{ runId: string; jobId: string }>()
  const generate = useGenerateReport()
  useHolding(true)
  const start = async () => {
    const query = parametersIn({ ...parameters, ...dates })
    const { page: _page, pageSize: _size, after: _after, before: _before, ...asked } = query
    const made = await generate
      .mutateAsync({ report: id, format, query: asked, idempotencyKey: key })
      .catch(() => undefined)
    setKey(newKey())
    setUnder(made)
  }
  return (
    <Modal opened onClose={onClose} title={`Generate ${name ?? report.name}`} size={520}>
      <Stack gap="sm">
        {under ? (
          <RunUnderWay key={under.runId} {...under} />
        ) : (
          <>
            <Text size="sm">{report.description}</Text>
            <Group gap="xs">
              <ReportDates report={report} value={dates} onChange={setDates} />
            </Group>
            <SegmentedControl
              aria-label="Format"
              data={reportFormats.map((value) => ({ value, label: reportFormatNames[value] }))}
              value={format}
              onChange={(value) => setFormat(value as ReportFormat)}
            />
            {generate.error && <InlineError>{errorText(generate.error)}</InlineError>}
          </>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {!under && (
            <Button data-autofocus loading={generate.isPending} onClick={() => void start()}>
              Generate
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
