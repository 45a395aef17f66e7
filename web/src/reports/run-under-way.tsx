import { Button, Group, Text } from "@mantine/core"
import { IconDownload } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../platform/api.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { JobProgress } from "../ui/job-progress.tsx"
import { useDownload } from "../ui/use-download.ts"
import { runHref } from "./reports.api.ts"

export function RunUnderWay({ runId, jobId, onReady }: { runId: string; jobId: string; onReady?: () => void }) {
  const { isUnderWay, download } = useDownload()
  const [isOver, setOver] = useState(false)
  const runs = useQuery({ ...api.reports.runs.queryOptions({ input: { pageSize: 100 } }), enabled: isOver })
  const run = runs.data?.rows.find(({ id }) => id === runId)
  return (
    <>
      <JobProgress
        jobId={jobId}
        onDone={async () => {
          setOver(true)
          const { data } = await runs.refetch()
          if (!data?.rows.some(({ id, state }) => id === runId && state === "done")) return
          onReady?.()
          await download(runHref(runId))
        }}
      />
      {run?.state === "failed" && <InlineError>{run.message ?? "The report failed."}</InlineError>}
      {run?.state === "done" && (
        <Group gap="xs">
          <Text size="sm">
            {(run.rows ?? 0).toLocaleString("en-ZA")} {run.rows === 1 ? "row" : "rows"}. Saved under Generated.
          </Text>
          <Button
            variant="default"
            size="xs"
            loading={isUnderWay}
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => void download(runHref(runId))}
          >
            Download again
          </Button>
        </Group>
      )}
    </>
  )
}
