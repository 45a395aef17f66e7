import { Button, Stack, TextInput } from "@mantine/core"
import { useState } from "react"
import { client } from "../platform/api.ts"
import { refusalCodeOf } from "../platform/errors.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { useEntranceForm } from "./entrance-form.tsx"
import { Notice } from "./notice.tsx"
import { newPasswordValidation, PasswordFields } from "./password-fields.tsx"
import { ResendConfirmation } from "./resend-confirmation.tsx"

export function SignUpForm() {
  const [mailedTo, setMailedTo] = useState<string>()
  const { form, submit, busy, problem } = useEntranceForm({
    initialValues: { fullName: "", email: "", password: "", confirmPassword: "" },
    required: ["fullName", "email", "password", "confirmPassword"],
    ...newPasswordValidation,
    send: async ({ fullName, email, password }) => {
      setMailedTo(undefined)
      await client.users.signUp({ fullName, email, password })
      setMailedTo(email)
      form.reset()
    },
    words: (error) =>
      refusalCodeOf(error) === "USER_ALREADY_REGISTERED"
        ? "An account with this email already exists. Please sign in instead."
        : undefined,
  })
  return (
    <form onSubmit={submit} noValidate aria-label="Sign up">
      <Stack gap="sm">
        <TextInput
          label="Full name"
          autoComplete="name"
          {...form.getInputProps("fullName")}
          key={form.key("fullName")}
        />
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          {...form.getInputProps("email")}
          key={form.key("email")}
        />
        <PasswordFields form={form} />
        {problem && <InlineError>{problem}</InlineError>}
        {mailedTo && (
          <Notice>
            Account created successfully! Please check your email for a confirmation link.
            <ResendConfirmation email={mailedTo} />
          </Notice>
        )}
        <Button type="submit" size="md" fullWidth disabled={busy}>
          {busy ? "Creating account..." : "Sign up"}
        </Button>
      </Stack>
    </form>
  )
}
