import { Button, Group, Modal, SegmentedControl, Stack, Text } from "@mantine/core"
import type { CustomReportDetail } from "@milkwood/domain/reports/custom-report-shape"
import { type ReportFormat, reportFormatNames, reportFormats } from "@milkwood/domain/reports/report"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { errorText } from "../platform/errors.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { toast } from "../ui/toast.tsx"
import { useHolding } from "../ui/unsaved.ts"
import type { Started } from "./custom-dialog.tsx"
import { MissingFields } from "./missing-fields.tsx"
import { useCustomReportCommands } from "./reports.api.ts"
import { RunUnderWay } from "./run-under-way.tsx"

interface CustomGenerateDialogProps {
  /** A saved report, to be made; or one that is being made already. */
  report: CustomReportDetail | Started
  onClose: () => void
}

/** A report of one's own as a file: its format, then its progress, then the file. */
export default function CustomGenerateDialog({ report, onClose }: CustomGenerateDialogProps) {
  const { generate } = useCustomReportCommands()
  const saved = "id" in report ? report : undefined
  const [under, setUnder] = useState("runId" in report ? report : undefined)
  const [format, setFormat] = useState<ReportFormat>(saved?.format ?? "pdf")
  const [key, setKey] = useState(newKey)
  useHolding(true)
  const start = async ({ id: customReportId, name, definition }: CustomReportDetail) => {
    const started = await generate
      .mutateAsync({ customReportId, name, format, definition, idempotencyKey: key })
      .catch(() => undefined)
    setKey(newKey())
    setUnder(started && { ...started, name })
  }
  return (
    <Modal opened onClose={onClose} title={`Generate ${report.name}`} size={520}>
      <Stack gap="sm">
        {under ? (
          <RunUnderWay
            {...under}
            onReady={() => toast.success(`Custom report "${report.name}" has been generated successfully.`)}
          />
        ) : (
          saved && (
            <>
              <MissingFields report={saved} />
              {saved.description && <Text size="sm">{saved.description}</Text>}
              <SegmentedControl
                aria-label="Format"
                data={reportFormats.map((value) => ({ value, label: reportFormatNames[value] }))}
                value={format}
                onChange={(value) => setFormat(value as ReportFormat)}
              />
              {generate.error && <InlineError>{errorText(generate.error)}</InlineError>}
            </>
          )
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {!under && saved && (
            <Button data-autofocus loading={generate.isPending} onClick={() => void start(saved)}>
              Generate
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
