import { Anchor, Button } from "@mantine/core"
import type { FollowUp } from "@milkwood/domain/claims/claim-shape"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { useMemberNoteCommands } from "../../members/member-notes.tsx"
import { api } from "../../platform/api.ts"
import { DayText } from "../../ui/day.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { SettingsLine, SettingsList } from "../../ui/line-list.tsx"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { RecordLoading, SidePanel } from "../../ui/record-page.tsx"
import { useBusyAction } from "../../ui/use-busy-action.ts"
import { useClaimNoteCommands } from "../claim-notes.tsx"
import classes from "../claims.module.css"

export const Route = createFileRoute("/_app/claims/follow-ups")({
  staticData: { permission: "notes.read" },
  component: FollowUpsPage,
})

function FollowUpsPage() {
  const { today } = useDisplay()
  const followUps = useQuery(api.claims.followUps.queryOptions({ input: {} }))
  return (
    <>
      <PageHeader title="Follow-ups" back={{ ...linkOptions({ to: "/" }), label: "Back to Dashboard" }} />
      {followUps.isPending && <RecordLoading words="Loading follow-ups..." />}
      {followUps.isError && !followUps.data && (
        <LoadFailed title="Failed to load follow-ups" error={followUps.error} onRetry={followUps.refetch} />
      )}
      {followUps.data?.length === 0 && (
        <EmptyState title="No follow-ups">
          Give a note on a claim or a member a day under “Follow up on” to see it here.
        </EmptyState>
      )}
      {followUps.data && followUps.data.length > 0 && (
        <div className={classes.column}>
          <FollowUps title="Due" followUps={followUps.data.filter(({ followUpOn }) => followUpOn <= today)} />
          <FollowUps title="Later" followUps={followUps.data.filter(({ followUpOn }) => followUpOn > today)} />
        </div>
      )}
    </>
  )
}

function FollowUps({ title, followUps }: { title: string; followUps: FollowUp[] }) {
  if (followUps.length === 0) return null
  return (
    <SidePanel title={`${title} (${followUps.length})`}>
      <SettingsList label={title}>
        {followUps.map((followUp) => (
          <FollowUpLine key={followUp.id} followUp={followUp} />
        ))}
      </SettingsList>
    </SidePanel>
  )
}

const linkOf = ({ recordKind, recordId }: FollowUp) =>
  recordKind === "claim"
    ? linkOptions({ to: "/claims/$claimId", params: { claimId: recordId }, search: { tab: "notes" } })
    : linkOptions({ to: "/members/$memberId", params: { memberId: recordId }, search: { tab: "notes" } })

function FollowUpLine({ followUp }: { followUp: FollowUp }) {
  const { recordKind, recordId, recordNumber, memberName, followUpOn, text, id: noteId } = followUp
  const claims = useClaimNoteCommands()
  const members = useMemberNoteCommands()
  const { busy, run } = useBusyAction()
  const queryClient = useQueryClient()
  const complete = () =>
    run(async () => {
      if (recordKind === "claim") await claims.completeFollowUp.mutateAsync({ claimId: recordId, noteId })
      else await members.completeFollowUp.mutateAsync({ memberId: recordId, noteId })
      await queryClient.invalidateQueries({ queryKey: api.claims.followUps.key() })
    })
  return (
    <SettingsLine
      what={
        <>
          <DayText day={followUpOn} />:{" "}
          <Anchor renderRoot={(props) => <Link {...props} {...linkOf(followUp)} />}>
            <DocumentNumber>{recordNumber}</DocumentNumber>, {memberName}
          </Anchor>
        </>
      }
      words={<span className={classes.reason}>{text}</span>}
    >
      <Button size="compact-sm" variant="default" disabled={busy} onClick={() => void complete()}>
        Done
      </Button>
    </SettingsLine>
  )
}
