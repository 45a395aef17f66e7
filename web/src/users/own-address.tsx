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
            You sign in with {user.email}. We email a link to the new address. Your address changes when you open the
            link. We also notify your old address.
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
                ? `We sent a link to ${asked.email}. Your address changes when you open it.`
                : `No mail server is set up. Ask an administrator for the link to ${asked.email}; it is in the outbox.`}
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
