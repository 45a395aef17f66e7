import { Button, Group } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useSession } from "../platform/session.ts"
import { usePageName } from "../ui/page-header.tsx"
import { EntrancePage } from "./entrance-page.tsx"
import { useLogOut } from "./use-log-out.ts"

/** Shown to an account without a role. Continues automatically when a role is assigned. */
export default function NoRolePage() {
  const { user } = useSession()
  const logOut = useLogOut()
  usePageName("Waiting for a role")
  return (
    <EntrancePage
      title="Your account has no role yet"
      words={`You are signed in as ${user.name} (${user.email}). An administrator must give your account a role before you can use Milkwood. This page then opens automatically.`}
    >
      <Group gap="xs">
        <Button variant="default" component={Link} to="/profile">
          Profile
        </Button>
        <Button variant="default" onClick={() => void logOut()}>
          Log out
        </Button>
      </Group>
    </EntrancePage>
  )
}
