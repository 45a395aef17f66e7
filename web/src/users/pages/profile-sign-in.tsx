import { Stack } from "@mantine/core"
import { createFileRoute } from "@tanstack/react-router"
import { OwnAddress } from "../own-address.tsx"
import { OwnSecondFactor } from "../own-second-factor.tsx"
import { OwnSessions } from "../own-sessions.tsx"
import { ProfileHead } from "../profile-tabs.tsx"
import classes from "../users.module.css"

export const Route = createFileRoute("/_app/profile/sign-in")({ component: ProfileSignInPage })

function ProfileSignInPage() {
  return (
    <>
      <ProfileHead page="/profile/sign-in" subtitle="Your second factor, e-mail address and sessions" />
      <div className={classes.profile}>
        <Stack gap="md">
          <OwnSecondFactor />
          <OwnAddress />
        </Stack>
        <OwnSessions />
      </div>
    </>
  )
}
