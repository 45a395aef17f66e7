import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { api } from "../platform/api.ts"
import { useSession } from "../platform/session.ts"
import { DayText } from "../ui/day.tsx"
import { InlineError } from "../ui/inline-error.tsx"

const StandInsDialog = lazy(() => import("./stand-ins-dialog.tsx"))

export function useStandIns(): { button: ReactNode; dialog: ReactNode } {
  const { can } = useSession()
  const [opened, setOpened] = useState(false)
  if (!can("claims.standIns")) return { button: undefined, dialog: undefined }
  return {
    button: (
      <Button variant="default" onClick={() => setOpened(true)}>
        Stand-ins
      </Button>
    ),
    dialog: opened && (
      <Suspense>
        <StandInsDialog onClose={() => setOpened(false)} />
      </Suspense>
    ),
  }
}

export function StandsInNotice() {
  const { user, can } = useSession()
  const mayDecide = can("claims.decide")
  const { data } = useQuery({ ...api.claims.standIns.queryOptions(), enabled: mayDecide })
  const mine = data?.filter(({ standIn }) => standIn.userId === user.userId) ?? []
  if (mine.length === 0) return null
  return (
    <InlineError tone="warning">
      {mine.map(({ id, person, fromOn, untilOn }) => (
        <div key={id}>
          You decide claims for {person.name} from <DayText day={fromOn} /> to <DayText day={untilOn} />.
        </div>
      ))}
    </InlineError>
  )
}
