import { Modal, Stack, Text } from "@mantine/core"
import { type ReportId, reportOf } from "@milkwood/domain/reports/catalogue"
import { InstantText } from "../ui/day.tsx"
import { useUnsavedInput } from "../ui/unsaved.ts"
import classes from "./catalogue.module.css"

export default function DetailsDialog({
  report,
  lastGeneratedAt,
  onClose,
}: {
  report: ReportId
  lastGeneratedAt: string | null
  onClose: () => void
}) {
  useUnsavedInput(true)
  const { name, details } = reportOf(report)
  const lists: [string, readonly string[]][] = [
    ["Key metrics", details.keyMetrics],
    ["Data points", details.dataPoints],
    ["Stakeholders", details.stakeholders],
    ["Business insights", details.insights],
  ]
  return (
    <Modal opened onClose={onClose} title={name} size={560}>
      <Stack gap="sm">
        <Part title="Purpose">{details.purpose}</Part>
        <Part title="Frequency">{details.frequency}</Part>
        <Part title="Last generated">{lastGeneratedAt ? <InstantText at={lastGeneratedAt} /> : "Never"}</Part>
        {lists.map(([title, lines]) => (
          <section key={title}>
            <h3 className={classes.part}>{title}</h3>
            <ul className={classes.points}>
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
        ))}
      </Stack>
    </Modal>
  )
}

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section>
    <h3 className={classes.part}>{title}</h3>
    <Text size="sm" component="div">
      {children}
    </Text>
  </section>
)
