import { Button, Stack, TextInput } from "@mantine/core"
import { roleNames } from "@milkwood/domain/users/user"
import { createFileRoute } from "@tanstack/react-router"
import { client } from "../../platform/api.ts"
import { InlineError } from "../../ui/inline-error.tsx"
import { usePageName } from "../../ui/page-header.tsx"
import { useEntranceForm } from "../entrance-form.tsx"
import { EntrancePage } from "../entrance-page.tsx"
import { linkStateOf, useAccountLink, useLinkToken } from "../link-page.tsx"
import { newPasswordValidation, PasswordFields } from "../password-fields.tsx"
import { useContinueSignIn } from "../use-go-on.ts"

export const Route = createFileRoute("/accept-invitation")({ component: AcceptInvitationPage })

function AcceptInvitationPage() {
  usePageName("Invitation")
  const token = useLinkToken()
  const link = useAccountLink("invitation", token)
  const role = link.data?.role
  return (
    linkStateOf(link) ?? (
      <Accept token={token} email={link.data?.email ?? ""} role={role ? roleNames[role].toLowerCase() : ""} />
    )
  )
}

function Accept({ token, email, role }: { token: string; email: string; role: string }) {
  const goOn = useContinueSignIn()
  const { form, submit, busy, problem } = useEntranceForm({
    initialValues: { fullName: "", password: "", confirmPassword: "" },
    required: ["fullName", "password", "confirmPassword"],
    ...newPasswordValidation,
    send: async ({ fullName, password }) => {
      const { stage } = await client.users.acceptInvitation({ token, fullName, password })
      await goOn(stage)
    },
  })
  return (
    <EntrancePage title="Accept your invitation" words={`You are invited as ${role}. Choose a password to begin.`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput label="Email" type="email" autoComplete="username" value={email} readOnly />
          <TextInput
            label="Full name"
            autoComplete="name"
            autoFocus
            {...form.getInputProps("fullName")}
            key={form.key("fullName")}
          />
          <PasswordFields form={form} />
          {problem && <InlineError>{problem}</InlineError>}
          <Button type="submit" size="md" fullWidth disabled={busy}>
            {busy ? "Creating account..." : "Accept invitation"}
          </Button>
        </Stack>
      </form>
    </EntrancePage>
  )
}
