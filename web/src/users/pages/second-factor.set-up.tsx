import { Button } from "@mantine/core"
import { createFileRoute, Link, useRouterState } from "@tanstack/react-router"
import { useEnterSession } from "../../platform/session.ts"
import { usePageName } from "../../ui/page-header.tsx"
import { EntrancePage } from "../entrance-page.tsx"
import { SetUpSecondFactor } from "../set-up-second-factor.tsx"

export const Route = createFileRoute("/second-factor/set-up")({ component: SetUpPage })

/** For users who must enrol before they can do anything else. */
function SetUpPage() {
  usePageName("Set up a second factor")
  const enter = useEnterSession()
  const href = useRouterState({ select: ({ location }) => location.state.askedFor })
  return (
    <EntrancePage
      wide
      title="Set up a second factor"
      words="Your organisation requires a second factor in addition to the password: a code from an app on your phone."
    >
      <SetUpSecondFactor
        onDone={() => void enter(href)}
        instead={
          <Button variant="default" component={Link} to="/auth">
            Sign in as another user
          </Button>
        }
      />
    </EntrancePage>
  )
}
