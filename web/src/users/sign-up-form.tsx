import { Button, PasswordInput, Stack, TextInput } from "@mantine/core"
import { useState } from "react"
import { client } from "../shell/api.ts"
import { refusalCode } from "../shell/errors.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { passwordRules, useEntranceForm } from "./entrance-form.tsx"
import { Notice } from "./notice.tsx"
import { ResendConfirmation } from "./resend-confirmation.tsx"
import { usePasswordHint } from "./users.api.ts"

/** The tab "Sign up", while registration is open. */
export function SignUpForm() {
  const hint = usePasswordHint()
  const [mailedTo, setMailedTo] = useState<string>()
  const { form, submit, busy, problem } = useEntranceForm({
    initialValues: { fullName: "", email: "", password: "", confirmPassword: "" },
    required: ["fullName", "email", "password", "confirmPassword"],
    check: ({ password, confirmPassword }) => passwordRules(password, confirmPassword),
    passwordField: "password",
    send: async ({ fullName, email, password }) => {
      setMailedTo(undefined)
      await client.users.signUp({ fullName, email, password })
      setMailedTo(email)
      form.reset()
    },
    words: (error) =>
      refusalCode(error) === "USER_ALREADY_REGISTERED"
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
        <PasswordInput
          label="Password"
          description={hint}
          autoComplete="new-password"
          {...form.getInputProps("password")}
          key={form.key("password")}
        />
        <PasswordInput
          label="Confirm password"
          autoComplete="new-password"
          {...form.getInputProps("confirmPassword")}
          key={form.key("confirmPassword")}
        />
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
