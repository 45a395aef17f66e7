import { Button, Group, Text } from "@mantine/core"
import type { ChainState } from "@milkwood/domain/settings/trail.contract"
import { IconShieldCheck } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { InstantText } from "../ui/day.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { trailChain, useTrailCommands } from "./settings.api.ts"

export function Chain() {
  const chain = useQuery(trailChain())
  const { check } = useTrailCommands()
  if (chain.isError && !chain.data)
    return <LoadFailed title="Failed to load the state of the trail" error={chain.error} onRetry={chain.refetch} />
  if (!chain.data) return null
  const { isUnderway } = chain.data
  return (
    <>
      <Faults check={chain.data.check} />
      <Group gap="sm" mb="sm" justify="space-between">
        <Text size="sm" role="status">
          <Verified {...chain.data} /> <Waiting {...chain.data} />
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconShieldCheck size={14} />}
          disabled={isUnderway}
          loading={check.isPending}
          onClick={() => check.mutate({})}
        >
          {isUnderway ? "The trail is being checked" : "Check the trail now"}
        </Button>
      </Group>
    </>
  )
}

const entries = (count: number) => (count === 1 ? "1 entry" : `${count.toLocaleString("en-ZA")} entries`)

function Verified({ check }: ChainState) {
  if (!check) return "The trail has not been checked yet; it is checked every night."
  const { verifiedUntilAt, rows, checkedAt, checkedBy } = check
  return (
    <>
      {verifiedUntilAt ? (
        <>
          Verified up to <InstantText at={verifiedUntilAt} />
        </>
      ) : (
        "None of it could be verified"
      )}{" "}
      ({entries(rows)}, checked <InstantText at={checkedAt} />
      {checkedBy && ` for ${checkedBy}`}).
    </>
  )
}

function Waiting({ unsealed, oldestUnsealedAt }: ChainState) {
  if (unsealed === 0 || !oldestUnsealedAt) return "Every entry has its seal."
  return (
    <>
      {unsealed === 1 ? "1 entry waits" : `${unsealed.toLocaleString("en-ZA")} entries wait`} for a seal, the oldest
      since <InstantText at={oldestUnsealedAt} />.
    </>
  )
}

const shown = 5

function Faults({ check }: Pick<ChainState, "check">) {
  if (!check || check.faults.length === 0) return null
  const more = check.faults.length - shown
  return (
    <InlineError mb="sm">
      The audit trail is not as it was written. {check.faults.slice(0, shown).join(" ")}
      {more > 0 && ` And ${more} more.`}
    </InlineError>
  )
}
