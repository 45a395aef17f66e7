import { Button, Group, Text } from "@mantine/core"
import { countsInWords } from "@milkwood/domain/privacy/privacy-facts"
import { nothingIn, type RetentionCounts, retentionKinds, retentionWords } from "@milkwood/domain/privacy/retention"
import type { RetentionOverview, RetentionRun } from "@milkwood/domain/privacy/retention.contract"
import { useQuery } from "@tanstack/react-query"
import { useConfirm } from "../ui/confirm.tsx"
import { DayText, InstantText } from "../ui/day.tsx"
import { Line, LineList, SettingsSection } from "../ui/line-list.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { retentionQuery, useRetentionCommands } from "./privacy.api.ts"

/** What is past the years that data is kept, what would become of it, and what was removed. */
export function Retention() {
  const overview = useQuery(retentionQuery())
  return (
    <SettingsSection title="Data past its years">
      {overview.isError && !overview.data && (
        <LoadFailed
          title="Failed to load data retention"
          error={overview.error}
          onRetry={overview.refetch}
          busy={overview.isFetching}
        />
      )}
      {overview.data && <Nights overview={overview.data} />}
    </SettingsSection>
  )
}

function Nights({ overview }: { overview: RetentionOverview }) {
  const { years, byItself, confirmedUntil, isUnderway, runs } = overview
  const { look } = useRetentionCommands()
  return (
    <>
      <Text size="sm" c="dimmed">
        Every night what ended more than {years} years ago is counted and shown here. Nothing is removed of anybody with
        an open claim, payment or invoice, or with one that is younger. Backups that were made before go on holding it
        until they are removed themselves, after twelve months at the latest.{" "}
        {confirmedUntil ? (
          <>
            It was confirmed, and is removed every night until <DayText day={confirmedUntil} />.
          </>
        ) : byItself ? (
          "It is removed by itself a week after it was first shown."
        ) : (
          "It is removed once an administrator has confirmed it."
        )}
      </Text>
      <Group gap="xs" my="sm">
        <Button variant="default" disabled={isUnderway} loading={look.isPending} onClick={() => look.mutate({})}>
          {isUnderway ? "It is being looked at" : "Look now"}
        </Button>
      </Group>
      {runs.length > 0 && (
        <LineList label="Data past its years">
          {runs.map((run) => (
            <Night key={run.id} run={run} isUnderway={isUnderway} />
          ))}
        </LineList>
      )}
    </>
  )
}

const stateNames = { shown: "Waits", removing: "Being removed", done: "Removed" } as const
const stateColours = { shown: "pending", removing: "processing", done: "completed" } as const

function Night({ run, isUnderway }: { run: RetentionRun; isUnderway: boolean }) {
  const { confirm: confirmed } = useRetentionCommands()
  const confirm = useConfirm()
  const ask = () =>
    confirm({
      title: "Remove what is past its years?",
      body: (
        <>
          What ended before <DayText day={run.before} />:
          <Due counts={run.due} />
          It cannot be brought back, but from a backup. What is due later is removed every night for a year.
        </>
      ),
      confirm: "Remove it",
      danger: true,
      action: () => confirmed.mutateAsync({ runId: run.id }),
    })
  return (
    <Line
      what={
        <Group gap="xs">
          <InstantText at={run.shownAt} />
          <StatusBadge status={stateColours[run.state]} label={stateNames[run.state]} />
        </Group>
      }
      words={
        <>
          Ended before <DayText day={run.before} />: {countsInWords(run.state === "shown" ? run.due : run.removed)}
          {run.confirmedBy && `, confirmed by ${run.confirmedBy}`}
        </>
      }
    >
      {run.allowedActions.includes("confirm") && (
        <Button variant="default" disabled={isUnderway} onClick={ask}>
          Confirm and remove
        </Button>
      )}
    </Line>
  )
}

function Due({ counts }: { counts: RetentionCounts }) {
  if (nothingIn(counts)) return null
  return (
    <ul>
      {retentionKinds
        .filter((kind) => counts[kind])
        .map((kind) => (
          <li key={kind}>
            {counts[kind]!.toLocaleString("en-ZA")}{" "}
            {counts[kind] === 1 ? retentionWords[kind].one : retentionWords[kind].many}: {retentionWords[kind].what}
          </li>
        ))}
    </ul>
  )
}
