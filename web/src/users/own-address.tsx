import { Button, Stack, TextInput } from "@mantine/core"
import { useState } from "react"
import { client } from "../platform/api.ts"
import { useSession } from "../platform/session.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { useEntranceForm } from "./entrance-form.tsx"
import { Notice } from "./notice.tsx"
import classes from "./users.module.css"

/** The address changes once the link mailed to it is followed. */
export function OwnAddress() {
  const { user } = useSession()
  const [asked, setAsked] = useState<{ email: string; mail: "queued" | "kept" }>()
  const { form, submit, busy, problem } = useEntranceForm({
    initialValues: { email: "" },
    required: ["email"],
    send: async ({ email }) => {
      const { mail } = await client.users.changeEmail({ email })
      setAsked({ email, mail })
      form.reset()
    },
  })
  return (
    <section className={classes.panel} aria-labelledby="address">
      <h2 id="address" className={classes.heading}>
        E-mail address
      </h2>
      <form onSubmit={submit} noValidate aria-label="Change e-mail address">
        <Stack gap="sm">
          <p className={classes.about}>
            You sign in with {user.email}. A new address counts once you have opened the link that is mailed there; the
            old one is told.
          </p>
          <TextInput
            label="New e-mail address"
            type="email"
            autoComplete="off"
            {...form.getInputProps("email")}
            key={form.key("email")}
          />
          {problem && <InlineError>{problem}</InlineError>}
          {asked && (
            <Notice>
              {asked.mail === "queued"
                ? `A link is on its way to ${asked.email}. Your address changes when it is opened.`
                : `No mail server is set up: ask an administrator for the link to ${asked.email}, which is kept in the outbox.`}
            </Notice>
          )}
          <Button type="submit" variant="default" disabled={busy} style={{ alignSelf: "flex-start" }}>
            {busy ? "Sending..." : "Change address"}
          </Button>
        </Stack>
      </form>
    </section>
  )
}
