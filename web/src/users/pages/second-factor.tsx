import { Anchor, Button, Stack } from "@mantine/core"
import { createFileRoute, Link, useRouterState } from "@tanstack/react-router"
import { client } from "../../platform/api.ts"
import { refusalCodeOf } from "../../platform/errors.ts"
import { useEnterSession } from "../../platform/session.ts"
import { InlineError } from "../../ui/inline-error.tsx"
import { usePageName } from "../../ui/page-header.tsx"
import { CodeField } from "../code-field.tsx"
import { useEntranceForm } from "../entrance-form.tsx"
import { EntrancePage } from "../entrance-page.tsx"

export const Route = createFileRoute("/second-factor")({ component: SecondFactorPage })

function SecondFactorPage() {
  usePageName("Enter your code")
  const enter = useEnterSession()
  const href = useRouterState({ select: ({ location }) => location.state.askedFor })
  const { form, submit, busy, problem, failure } = useEntranceForm({
    initialValues: { code: "" },
    required: ["code"],
    send: async ({ code }) => {
      await client.users.secondFactor.verify({ code })
      await enter(href)
    },
  })
  const isOver = refusalCodeOf(failure) === "UNAUTHENTICATED"
  return (
    <EntrancePage title="Enter your code" words="Enter the code from your authenticator app.">
      <form onSubmit={submit} noValidate aria-label="Enter your code">
        <Stack gap="sm">
          <CodeField autoFocus {...form.getInputProps("code")} key={form.key("code")} />
          {problem && <InlineError>{problem}</InlineError>}
          <Button type="submit" size="md" fullWidth disabled={busy || isOver}>
            {busy ? "Signing in..." : "Sign in"}
          </Button>
          <Anchor component={Link} to="/auth" state={href ? { askedFor: href } : {}} size="sm" ta="center">
            {isOver ? "Sign in again" : "Sign in as another user"}
          </Anchor>
        </Stack>
      </form>
    </EntrancePage>
  )
}
