import { Button, Stack } from "@mantine/core"
import type { Me } from "@milkwood/domain/users/users.contract"
import { useQueryClient } from "@tanstack/react-query"
import { useBlocker } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { client } from "../platform/api.ts"
import { refusalCodeOf } from "../platform/errors.ts"
import { coverPage } from "../platform/keyboard.ts"
import { sessionQuery } from "../platform/session.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { usePageName } from "../ui/page-header.tsx"
import { CodeField, OwnPasswordField } from "./code-field.tsx"
import { useEntranceForm } from "./entrance-form.tsx"
import { EntrancePage } from "./entrance-page.tsx"
import classes from "./users.module.css"

const secondFactorRequired = new Error("a second factor must be set up")

/** Covers the page when the session ended with unsaved work. After sign-in the page is unchanged. */
export default function SignInAgain({ user, onLeave }: { user: Me; onLeave: () => void }) {
  const queryClient = useQueryClient()
  usePageName("Sign in again")
  const letLeave = useCoveredPage()
  const leave = () => {
    letLeave()
    onLeave()
  }
  const [asksForCode, setAsksForCode] = useState(false)
  const { form, submit, busy, problem } = useEntranceForm({
    initialValues: { password: "", code: "" },
    required: asksForCode ? ["code"] : ["password"],
    send: async ({ password, code }) => {
      if (asksForCode) await client.users.secondFactor.verify({ code })
      else {
        const { stage } = await client.users.signIn({ email: user.email, password })
        if (stage === "second_factor") return setAsksForCode(true)
        if (stage === "enrolment") throw secondFactorRequired
      }
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
      void queryClient.invalidateQueries()
    },
    words: (error) => {
      // The partial session has expired.
      if (refusalCodeOf(error) === "UNAUTHENTICATED") setAsksForCode(false)
      if (refusalCodeOf(error) === "INVALID_CREDENTIALS") return "This password is incorrect."
      return error === secondFactorRequired
        ? "Your account now requires a second factor. Open Milkwood in another tab, set it up there, and return: this page continues automatically."
        : undefined
    },
  })
  return (
    <div className={classes.cover}>
      <EntrancePage
        title="Sign in again"
        words={`Your session has ended. Sign in as ${user.name} to continue with your unsaved changes.`}
      >
        <form onSubmit={submit} noValidate aria-label="Sign in again">
          <Stack gap="sm">
            {asksForCode ? (
              <CodeField autoFocus {...form.getInputProps("code")} key={form.key("code")} />
            ) : (
              <OwnPasswordField
                email={user.email}
                autoFocus
                {...form.getInputProps("password")}
                key={form.key("password")}
              />
            )}
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
 * Blocks keyboard input and navigation below the cover, and restores the focus afterwards. Returns a function that
 * permits navigation.
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
