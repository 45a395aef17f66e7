import { Button, PasswordInput, Stack } from "@mantine/core"
import type { Me } from "@milkwood/domain/users/users.contract"
import { useQueryClient } from "@tanstack/react-query"
import { useBlocker } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { client } from "../platform/api.ts"
import { refusalCode } from "../platform/errors.ts"
import { coverPage } from "../platform/keyboard.ts"
import { sessionQuery } from "../platform/session.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { usePageName } from "../ui/page-header.tsx"
import { useEntranceForm } from "./entrance-form.tsx"
import { EntrancePage } from "./entrance-page.tsx"
import classes from "./users.module.css"

/**
 * Covers the page of somebody whose session ended over unsaved work: nothing of it is seen until they sign in again,
 * and then it is there as they left it.
 */
export default function SignInAgain({ user, onLeave }: { user: Me; onLeave: () => void }) {
  const queryClient = useQueryClient()
  usePageName("Sign in again")
  const letLeave = useCoveredPage()
  const leave = () => {
    letLeave()
    onLeave()
  }
  const { form, submit, busy, problem } = useEntranceForm({
    initialValues: { password: "" },
    required: ["password"],
    send: async ({ password }) => {
      await client.users.signIn({ email: user.email, password })
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
      void queryClient.invalidateQueries()
    },
    words: (error) => (refusalCode(error) === "INVALID_CREDENTIALS" ? "This is not your password." : undefined),
  })
  return (
    <div className={classes.cover}>
      <EntrancePage
        title="Sign in again"
        words={`Your session has ended. What you typed is kept: sign in as ${user.name} to go on with it.`}
      >
        <form onSubmit={submit} noValidate aria-label="Sign in again">
          <Stack gap="sm">
            <input type="email" autoComplete="username" value={user.email} readOnly hidden />
            <PasswordInput
              label="Password"
              description={user.email}
              autoComplete="current-password"
              autoFocus
              {...form.getInputProps("password")}
              key={form.key("password")}
            />
            {problem && <InlineError>{problem}</InlineError>}
            <Button type="submit" size="md" fullWidth disabled={busy}>
              {busy ? "Signing in..." : "Sign in"}
            </Button>
            <Button variant="subtle" onClick={leave} disabled={busy}>
              Leave without saving
            </Button>
          </Stack>
        </form>
      </EntrancePage>
    </div>
  )
}

/**
 * Leaves what lies under the cover as it is: no key reaches it, and neither back nor forward leaves the page.
 * Afterwards the keyboard goes on where it was. Answers how to let the page be left.
 */
function useCoveredPage(): () => void {
  const [focused] = useState(() => document.activeElement)
  const isLeaving = useRef(false)
  useEffect(() => {
    const lift = coverPage()
    return () => {
      lift()
      if (focused instanceof HTMLElement) requestAnimationFrame(() => focused.focus())
    }
  }, [focused])
  useBlocker({ shouldBlockFn: () => !isLeaving.current })
  return () => {
    isLeaving.current = true
  }
}
