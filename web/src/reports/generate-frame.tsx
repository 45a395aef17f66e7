import { Button, Group, Modal, SegmentedControl, Stack } from "@mantine/core"
import { type ReportFormat, reportFormatNames, reportFormats } from "@milkwood/domain/reports/report"
import type { ReactNode } from "react"
import { errorTextOf } from "../platform/errors.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { useUnsavedInput } from "../ui/unsaved.ts"

interface GenerateFrameProps {
  name: string
  underWay: ReactNode
  format: ReportFormat
  onFormat: (format: ReportFormat) => void
  error: unknown
  isStarting: boolean
  onGenerate: () => void
  onClose: () => void
  children: ReactNode
}

export function GenerateFrame(props: GenerateFrameProps) {
  const { name, underWay, format, onFormat, error, isStarting, onGenerate, onClose, children } = props
  useUnsavedInput(true)
  return (
    <Modal opened onClose={onClose} title={`Generate ${name}`} size={520}>
      <Stack gap="sm">
        {underWay ?? (
          <>
            {children}
            <SegmentedControl
              aria-label="Format"
              data={reportFormats.map((value) => ({ value, label: reportFormatNames[value] }))}
              value={format}
              onChange={(value) => onFormat(value as ReportFormat)}
            />
            {error != null && <InlineError>{errorTextOf(error)}</InlineError>}
          </>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {underWay === undefined && (
            <Button data-autofocus loading={isStarting} onClick={onGenerate}>
              Generate
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
