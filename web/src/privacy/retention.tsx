import { Button, Group, Text } from "@mantine/core"
import { describeCounts } from "@milkwood/domain/privacy/privacy-facts"
import { isEmptyCount, type RetentionCounts, retentionKinds, retentionTexts } from "@milkwood/domain/privacy/retention"
import type { RetentionOverview, RetentionRun } from "@milkwood/domain/privacy/retention.contract"
import { useQuery } from "@tanstack/react-query"
import { useConfirm } from "../ui/confirm.tsx"
import { DayText, InstantText } from "../ui/day.tsx"
import { SettingsLine, SettingsList, SettingsSection } from "../ui/line-list.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { retentionQuery, useRetentionCommands } from "./privacy.api.ts"

export function Retention() {
  const overview = useQuery(retentionQuery())
  return (
    <SettingsSection title="Data past its retention period" query={overview} failed="Failed to load data retention">
      {overview.data && <RetentionRuns overview={overview.data} />}
    </SettingsSection>
  )
}

function RetentionRuns({ overview }: { overview: RetentionOverview }) {
  const { years, isAutomatic, confirmedUntil, isUnderway, runs } = overview
  const { look } = useRetentionCommands()
  return (
    <>
      <Text size="sm" c="dimmed">
        Each night, we count and list records that ended more than {years} years ago. People with an open claim, payment
        or invoice, or with a more recent one, are kept. Backups created before a removal still contain the data until
        they are deleted, after at most twelve months.{" "}
        {confirmedUntil ? (
          <>
            Removal was confirmed, and runs every night until <DayText day={confirmedUntil} />.
          </>
        ) : isAutomatic ? (
          "Listed records are removed automatically after a week."
        ) : (
          "Listed records are removed after an administrator confirms it."
        )}
      </Text>
      <Group gap="xs" my="sm">
        <Button variant="default" disabled={isUnderway} loading={look.isPending} onClick={() => look.mutate({})}>
          {isUnderway ? "Counting..." : "Count now"}
        </Button>
      </Group>
      {runs.length > 0 && (
        <SettingsList label="Data past its retention period">
          {runs.map((run) => (
            <RetentionRunRow key={run.id} run={run} isUnderway={isUnderway} />
          ))}
        </SettingsList>
      )}
    </>
  )
}

const stateNames = { shown: "Waiting", removing: "Removing", done: "Removed" } as const
const stateColours = { shown: "pending", removing: "processing", done: "completed" } as const

function RetentionRunRow({ run, isUnderway }: { run: RetentionRun; isUnderway: boolean }) {
  const { confirm: confirmed } = useRetentionCommands()
  const confirm = useConfirm()
  const ask = () =>
    confirm({
      title: "Remove data past its retention period?",
      body: (
        <>
          Data that ended before <DayText day={run.before} />:
          <DueCounts counts={run.due} />
          You can restore this data only from a backup. For the next year, records are removed every night as they
          become due.
        </>
      ),
      confirm: "Remove",
      danger: true,
      action: () => confirmed.mutateAsync({ runId: run.id }),
    })
  return (
    <SettingsLine
      what={
        <Group gap="xs">
          <InstantText at={run.shownAt} />
          <StatusBadge status={stateColours[run.state]} label={stateNames[run.state]} />
        </Group>
      }
      words={
        <>
          Ended before <DayText day={run.before} />: {describeCounts(run.state === "shown" ? run.due : run.removed)}
          {run.confirmedBy && `, confirmed by ${run.confirmedBy}`}
        </>
      }
    >
      {run.allowedActions.includes("confirm") && (
        <Button variant="default" disabled={isUnderway} onClick={ask}>
          Confirm and remove
        </Button>
      )}
    </SettingsLine>
  )
}

function DueCounts({ counts }: { counts: RetentionCounts }) {
  if (isEmptyCount(counts)) return null
  return (
    <ul style={{ marginBlock: 8, paddingInlineStart: 18 }}>
      {retentionKinds
        .filter((kind) => counts[kind])
        .map((kind) => (
          <li key={kind}>
            <strong>{describeCounts({ [kind]: counts[kind] })}</strong>: {retentionTexts[kind].what}
          </li>
        ))}
    </ul>
  )
}
