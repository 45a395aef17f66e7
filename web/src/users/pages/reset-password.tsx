import { Button, Stack } from "@mantine/core"
import { createFileRoute, Link, useNavigate } from "@tanstack/react-router"
import { client } from "../../platform/api.ts"
import { InlineError } from "../../ui/inline-error.tsx"
import { usePageName } from "../../ui/page-header.tsx"
import { toast } from "../../ui/toast.tsx"
import { useEntranceForm } from "../entrance-form.tsx"
import { EntrancePage } from "../entrance-page.tsx"
import { linkStateOf, useAccountLink, useLinkToken } from "../link-page.tsx"
import { newPasswordValidation, PasswordFields } from "../password-fields.tsx"

export const Route = createFileRoute("/reset-password")({ component: ResetPasswordPage })

function ResetPasswordPage() {
  usePageName("New password")
  const token = useLinkToken()
  const link = useAccountLink("password_reset", token)
  const again = (
    <Button component={Link} to="/forgot-password">
      Request a new link
    </Button>
  )
  return linkStateOf(link, again) ?? <NewPassword token={token} email={link.data?.email ?? ""} />
}

function NewPassword({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate()
  const { form, submit, busy, problem } = useEntranceForm({
    initialValues: { password: "", confirmPassword: "" },
    required: ["password", "confirmPassword"],
    ...newPasswordValidation,
    send: async ({ password }) => {
      await client.users.resetPassword({ token, password })
      toast.success("Your password was changed. Sign in with the new one.")
      await navigate({ to: "/auth", replace: true })
    },
  })
  return (
    <EntrancePage title="Set a new password" words={`For ${email}. You will be signed out on every device.`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <input type="hidden" autoComplete="username" value={email} readOnly />
          <PasswordFields form={form} label="New password" autoFocus />
          {problem && <InlineError>{problem}</InlineError>}
          <Button type="submit" size="md" fullWidth disabled={busy}>
            {busy ? "Saving..." : "Set new password"}
          </Button>
        </Stack>
      </form>
    </EntrancePage>
  )
}
