import { Anchor, Button, PasswordInput, Stack, TextInput } from "@mantine/core"
import { Link, useRouterState } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { client } from "../platform/api.ts"
import { refusalCodeOf } from "../platform/errors.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { toast } from "../ui/toast.tsx"
import { useEntranceForm } from "./entrance-form.tsx"
import { ResendConfirmation } from "./resend-confirmation.tsx"
import { useContinueSignIn } from "./use-go-on.ts"

const redirectAfterMs = 1_000

const errorTexts: Record<string, string> = {
  INVALID_CREDENTIALS: "Invalid email or password. Please check your credentials and try again.",
  EMAIL_NOT_CONFIRMED: "Please check your email and click the confirmation link before signing in.",
}

export function SignInForm() {
  const goOn = useContinueSignIn()
  const [entering, setEntering] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const email = useRouterState({ select: ({ location }) => location.state.email ?? "" })
  const href = useRouterState({ select: ({ location }) => location.state.askedFor })
  const { form, submit, busy, problem, failure } = useEntranceForm({
    initialValues: { email, password: "" },
    required: ["email", "password"],
    send: async (values) => {
      const { stage } = await client.users.signIn(values)
      if (stage !== "signed_in") return goOn(stage, href)
      setEntering(true)
      toast.success("Signed in successfully! Redirecting...")
      timer.current = setTimeout(() => {
        toast.clear()
        void goOn(stage, href)
      }, redirectAfterMs)
    },
    words: (error) => errorTexts[refusalCodeOf(error) ?? ""],
  })
  const unconfirmed = refusalCodeOf(failure) === "EMAIL_NOT_CONFIRMED"
  return (
    <form onSubmit={submit} noValidate aria-label="Sign in">
      <Stack gap="sm">
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus={email === ""}
          {...form.getInputProps("email")}
          key={form.key("email")}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          autoFocus={email !== ""}
          {...form.getInputProps("password")}
          key={form.key("password")}
        />
        {problem && (
          <InlineError>
            {problem}
            {unconfirmed && <ResendConfirmation email={form.getValues().email} />}
          </InlineError>
        )}
        <Button type="submit" size="md" fullWidth disabled={busy || entering}>
          {entering ? "Redirecting..." : busy ? "Signing in..." : "Sign in"}
        </Button>
        <Anchor component={Link} to="/forgot-password" state={{ email: form.values.email }} size="sm" ta="center">
          Forgot your password?
        </Anchor>
      </Stack>
    </form>
  )
}
