import { createFileRoute } from "@tanstack/react-router"
import { client } from "../../platform/api.ts"
import { LinkConfirmation } from "../confirmed-by-link.tsx"

export const Route = createFileRoute("/confirm-email")({ component: ConfirmEmailPage })

function ConfirmEmailPage() {
  return (
    <LinkConfirmation
      name="Confirm e-mail address"
      confirm={(token) => client.users.confirmEmail({ token }, { context: { background: true } })}
      done="Your e-mail address is confirmed. You can sign in now."
      deadLinkHint="If you already confirmed your address, you can sign in."
    />
  )
}
