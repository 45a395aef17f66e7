import { Button, Group, Stack, Text } from "@mantine/core"
import type { MemberDetail } from "@milkwood/domain/members/members.contract"
import { nominationOn } from "@milkwood/domain/members/nomination"
import type { MemberNominations, NominationDetail } from "@milkwood/domain/members/nominations.contract"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { DayText, InstantText } from "../ui/day.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { SidePanel } from "../ui/record-page.tsx"
import { nominationsQuery } from "./members.api.ts"
import classes from "./members.module.css"
import { NominationDocuments } from "./nomination-documents.tsx"
import { NomineesTable } from "./nominees-table.tsx"

const NominationDialog = lazy(() => import("./nomination-dialog.tsx"))
const WithdrawNominationDialog = lazy(() => import("./withdraw-nomination-dialog.tsx"))

type OpenDialog = { act: "record" } | { act: "correct" | "withdraw"; nomination: NominationDetail }

export function Beneficiaries({ member }: { member: MemberDetail }) {
  const nominations = useQuery(nominationsQuery(member.id))
  const [open, setOpen] = useState<OpenDialog>()
  if (!nominations.data) {
    if (!nominations.isError) return null
    return (
      <SidePanel title="Beneficiaries">
        <LoadFailed
          title="Failed to load the beneficiaries"
          error={nominations.error}
          onRetry={nominations.refetch}
          busy={nominations.isFetching}
        />
      </SidePanel>
    )
  }
  const { nominations: all, currentId, allowedActions } = nominations.data
  const current = all.find(({ id }) => id === currentId)
  const others = all.filter(({ id }) => id !== currentId)
  const close = () => setOpen(undefined)
  return (
    <SidePanel title="Beneficiaries">
      <Stack gap="sm">
        {current ? (
          <Nomination nomination={current} nominations={nominations.data} onOpen={setOpen} />
        ) : (
          <p className={classes.quiet}>
            No beneficiaries nominated. The benefit for the member’s own death is then paid to the estate or to
            dependents.
          </p>
        )}
        {allowedActions.includes("record") && (
          <Group>
            <Button variant="light" onClick={() => setOpen({ act: "record" })}>
              {current ? "Replace beneficiaries" : "Add beneficiaries"}
            </Button>
          </Group>
        )}
        {others.length > 0 && (
          <details className={classes.history}>
            <summary>{others.length === 1 ? "1 other nomination" : `${others.length} other nominations`}</summary>
            <Stack gap="md">
              {others.map((nomination) => (
                <Nomination
                  key={nomination.id}
                  nomination={nomination}
                  nominations={nominations.data}
                  onOpen={setOpen}
                />
              ))}
            </Stack>
          </details>
        )}
      </Stack>
      <Suspense>
        {open?.act === "record" && <NominationDialog member={member} before={current} onClose={close} />}
        {open?.act === "correct" && (
          <NominationDialog member={member} before={open.nomination} corrects={open.nomination.id} onClose={close} />
        )}
        {open?.act === "withdraw" && (
          <WithdrawNominationDialog
            memberId={member.id}
            nomination={open.nomination}
            earlier={nominationOn(
              all
                .filter(({ id }) => id !== open.nomination.id)
                .map((each) => ({ ...each, supersededAt: each.superseded?.at ?? null })),
              open.nomination.fromOn,
            )}
            onClose={close}
          />
        )}
      </Suspense>
    </SidePanel>
  )
}

interface NominationProps {
  nomination: NominationDetail
  nominations: MemberNominations
  onOpen: (dialog: OpenDialog) => void
}

function Nomination({ nomination, nominations: { allowedActions }, onOpen }: NominationProps) {
  const { fromOn, untilOn, nominees, superseded, recordedBy, recordedAt, isCorrection } = nomination
  const isChangeable = superseded === null
  return (
    <Stack gap={6} component="section">
      <div>
        <Text component="h3" fw={500} size="sm" td={superseded ? "line-through" : undefined}>
          From <DayText day={fromOn} />
          {untilOn && (
            <>
              {" "}
              to <DayText day={untilOn} />
            </>
          )}
        </Text>
        <p className={classes.quiet}>
          {isCorrection ? "Corrected" : "Recorded"} by {recordedBy}, <InstantText at={recordedAt} />
          {superseded && (
            <>
              . Superseded by {superseded.by}, <InstantText at={superseded.at} />
              {superseded.reason && `: ${superseded.reason}`}
            </>
          )}
        </p>
      </div>
      {nominees.length === 0 ? (
        <p className={classes.quiet}>The member revoked the earlier nomination.</p>
      ) : (
        <NomineesTable nominees={nominees} />
      )}
      <NominationDocuments nomination={nomination} mayChange={isChangeable && allowedActions.includes("attach")} />
      {isChangeable && allowedActions.includes("correct") && (
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={() => onOpen({ act: "correct", nomination })}>
            Correct
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => onOpen({ act: "withdraw", nomination })}>
            Withdraw
          </Button>
        </Group>
      )}
    </Stack>
  )
}
