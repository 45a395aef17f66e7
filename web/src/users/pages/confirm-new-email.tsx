import { createFileRoute } from "@tanstack/react-router"
import { client } from "../../platform/api.ts"
import { LinkConfirmation } from "../confirmed-by-link.tsx"

export const Route = createFileRoute("/confirm-new-email")({ component: ConfirmNewEmailPage })

function ConfirmNewEmailPage() {
  return (
    <LinkConfirmation
      name="Confirm new e-mail address"
      confirm={(token) => client.users.confirmNewEmail({ token }, { context: { background: true } })}
      done="Your e-mail address is changed. Sign in with it from now on."
      deadLinkHint="If you already opened it, sign in with the new address."
      refusals={{ USER_ALREADY_REGISTERED: "Another account now has this address. Your address did not change." }}
    />
  )
}
