import { Button, Group, Text } from "@mantine/core"
import type { ChainState } from "@milkwood/domain/settings/trail.contract"
import { IconShieldCheck } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { InstantText } from "../ui/day.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { trailChainQuery, useTrailCommands } from "./settings.api.ts"

export function AuditChain() {
  const chain = useQuery(trailChainQuery())
  const { check } = useTrailCommands()
  if (chain.isError && !chain.data)
    return (
      <LoadFailed title="Failed to load the state of the audit trail" error={chain.error} onRetry={chain.refetch} />
    )
  if (!chain.data) return null
  const { isUnderway } = chain.data
  return (
    <>
      <ChainFaults check={chain.data.check} />
      <Group gap="sm" mb="sm" justify="space-between">
        <Text size="sm" role="status">
          <VerifiedText {...chain.data} /> <UnsealedText {...chain.data} />
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconShieldCheck size={14} />}
          disabled={isUnderway}
          loading={check.isPending}
          onClick={() => check.mutate({})}
        >
          {isUnderway ? "Checking the audit trail" : "Check audit trail"}
        </Button>
      </Group>
    </>
  )
}

const entryCountText = (count: number) => (count === 1 ? "1 entry" : `${count.toLocaleString("en-ZA")} entries`)

function VerifiedText({ check }: ChainState) {
  if (!check) return "The audit trail has not been checked yet. It is checked every night."
  const { verifiedUntilAt, rows, checkedAt, checkedBy } = check
  return (
    <>
      {verifiedUntilAt ? (
        <>
          Verified up to <InstantText at={verifiedUntilAt} />
        </>
      ) : (
        "No entry could be verified"
      )}{" "}
      ({entryCountText(rows)}, checked <InstantText at={checkedAt} />
      {checkedBy && `, requested by ${checkedBy}`}).
    </>
  )
}

function UnsealedText({ unsealed, oldestUnsealedAt }: ChainState) {
  if (unsealed === 0 || !oldestUnsealedAt) return "All entries are sealed."
  return (
    <>
      {unsealed === 1 ? "1 entry is waiting" : `${unsealed.toLocaleString("en-ZA")} entries are waiting`} for a seal,
      the oldest since <InstantText at={oldestUnsealedAt} />.
    </>
  )
}

const maxFaultsShown = 5

function ChainFaults({ check }: Pick<ChainState, "check">) {
  if (!check || check.faults.length === 0) return null
  const more = check.faults.length - maxFaultsShown
  return (
    <InlineError mb="sm">
      Problems were found in the audit trail. {check.faults.slice(0, maxFaultsShown).join(" ")}
      {more > 0 && ` And ${more} more.`}
    </InlineError>
  )
}
