import { Anchor, Button, Stack, TextInput } from "@mantine/core"
import { createFileRoute, Link, useRouterState } from "@tanstack/react-router"
import { useState } from "react"
import { client } from "../../platform/api.ts"
import { InlineError } from "../../ui/inline-error.tsx"
import { usePageName } from "../../ui/page-header.tsx"
import { useEntranceForm } from "../entrance-form.tsx"
import { EntrancePage } from "../entrance-page.tsx"
import { Notice } from "../notice.tsx"

export const Route = createFileRoute("/forgot-password")({ component: ForgotPasswordPage })

function ForgotPasswordPage() {
  usePageName("Forgot password")
  const [sentTo, setSentTo] = useState<string>()
  const email = useRouterState({ select: ({ location }) => location.state.email ?? "" })
  const { form, submit, busy, problem } = useEntranceForm({
    initialValues: { email },
    required: ["email"],
    send: async ({ email }) => {
      setSentTo(undefined)
      await client.users.requestPasswordReset({ email })
      setSentTo(email)
    },
  })
  return (
    <EntrancePage title="Forgot your password?" words="We email you a link to set a new one.">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            autoFocus
            {...form.getInputProps("email")}
            key={form.key("email")}
          />
          {problem && <InlineError>{problem}</InlineError>}
          {sentTo && <Notice>If {sentTo} has an account, we sent a link. It works for one hour.</Notice>}
          <Button type="submit" size="md" fullWidth disabled={busy}>
            {busy ? "Sending..." : "Send the link"}
          </Button>
          <Anchor component={Link} to="/auth" state={{ email: form.values.email }} size="sm" ta="center">
            Back to sign in
          </Anchor>
        </Stack>
      </form>
    </EntrancePage>
  )
}
