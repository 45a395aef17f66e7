import { Tabs, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, useNavigate, useRouter } from "@tanstack/react-router"
import { type ReactNode, useEffect, useState } from "react"
import { errorTextOf } from "../../platform/errors.ts"
import { sessionQuery } from "../../platform/session.ts"
import { AuthenticatingScreen } from "../../ui/authenticating.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { addressParameters, oneOfReader } from "../../ui/list-address.ts"
import { usePageName } from "../../ui/page-header.tsx"
import { EntrancePage } from "../entrance-page.tsx"
import { SignInForm } from "../sign-in-form.tsx"
import { SignUpForm } from "../sign-up-form.tsx"
import { entranceQuery } from "../users.api.ts"

export const Route = createFileRoute("/auth")({
  ...addressParameters({ tab: oneOfReader(["sign-up"]) }),
  component: AuthPage,
})

function AuthPage() {
  const { tab = "sign-in" } = Route.useSearch()
  const navigate = useNavigate()
  usePageName(tab === "sign-up" ? "Sign up" : "Sign in")
  const open = (next: string | null) =>
    void navigate({ to: "/auth", search: next === "sign-up" ? { tab: "sign-up" } : {}, state: true, replace: true })
  return (
    <GuestGuard>
      <EntrancePage title="Welcome" words={<Welcome signingUp={tab === "sign-up"} />}>
        <Tabs value={tab} onChange={open}>
          <Tabs.List grow mb="md">
            <Tabs.Tab value="sign-in">Sign in</Tabs.Tab>
            <Tabs.Tab value="sign-up">Sign up</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="sign-in">
            <SignInForm />
          </Tabs.Panel>
          <Tabs.Panel value="sign-up">
            <SignUp />
          </Tabs.Panel>
        </Tabs>
      </EntrancePage>
    </GuestGuard>
  )
}

function Welcome({ signingUp }: { signingUp: boolean }) {
  const { data } = useQuery(entranceQuery())
  const named = data?.organisationName && data.organisationName !== "Milkwood" ? data.organisationName : undefined
  if (signingUp) return named ? `Create an account at ${named}.` : "Create an account."
  return named ? `Sign in to the back office of ${named}.` : "Sign in to your account."
}

function SignUp() {
  const entrance = useQuery(entranceQuery())
  if (entrance.isError) return <InlineError>{errorTextOf(entrance.error)}</InlineError>
  if (!entrance.data) return null
  if (entrance.data.registrationOpen) return <SignUpForm />
  return (
    <>
      <Text fw={600}>Registration is closed</Text>
      <Text c="dimmed" mt={4}>
        Ask an administrator to invite you. You then get an e-mail with a link to choose a password.
      </Text>
    </>
  )
}

/** Sends a signed-in user to the requested page or the dashboard. */
function GuestGuard({ children }: { children: ReactNode }) {
  const session = useQuery(sessionQuery)
  if (session.isPending) return <AuthenticatingScreen />
  return session.data ? <RequestedPageRedirect /> : children
}

function RequestedPageRedirect() {
  const router = useRouter()
  const [href] = useState(() => router.state.location.state.askedFor ?? "/")
  useEffect(() => void router.navigate({ href, replace: true }), [router, href])
  return null
}
