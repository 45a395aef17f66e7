import { Text } from "@mantine/core"
import type { CustomReportDetail } from "@milkwood/domain/reports/custom-report-shape"
import type { ReportFormat } from "@milkwood/domain/reports/report"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { toast } from "../ui/toast.tsx"
import type { StartedRun } from "./custom-dialog.tsx"
import { GenerateFrame } from "./generate-frame.tsx"
import { MissingFields } from "./missing-fields.tsx"
import { useCustomReportCommands } from "./reports.api.ts"
import { RunUnderWay } from "./run-under-way.tsx"

interface CustomGenerateDialogProps {
  report: CustomReportDetail | StartedRun
  onClose: () => void
}

export default function CustomGenerateDialog({ report, onClose }: CustomGenerateDialogProps) {
  const { generate } = useCustomReportCommands()
  const saved = "id" in report ? report : undefined
  const [under, setUnder] = useState("runId" in report ? report : undefined)
  const [format, setFormat] = useState<ReportFormat>(saved?.format ?? "pdf")
  const [key, setKey] = useState(newKey)
  const start = async ({ id: customReportId, name, definition }: CustomReportDetail) => {
    const started = await generate
      .mutateAsync({ customReportId, name, format, definition, idempotencyKey: key })
      .catch(() => undefined)
    setKey(newKey())
    setUnder(started && { ...started, name })
  }
  return (
    <GenerateFrame
      name={report.name}
      underWay={
        under && (
          <RunUnderWay
            {...under}
            onReady={() => toast.success(`Custom report "${report.name}" has been generated successfully.`)}
          />
        )
      }
      format={format}
      onFormat={setFormat}
      error={generate.error}
      isStarting={generate.isPending}
      onGenerate={() => saved && void start(saved)}
      onClose={onClose}
    >
      {saved && <MissingFields report={saved} />}
      {saved?.description && <Text size="sm">{saved.description}</Text>}
    </GenerateFrame>
  )
}
