import { createFileRoute } from "@tanstack/react-router"
import { client } from "../../platform/api.ts"
import { ConfirmedByLink } from "../confirmed-by-link.tsx"

export const Route = createFileRoute("/confirm-new-email")({ component: ConfirmNewEmailPage })

function ConfirmNewEmailPage() {
  return (
    <ConfirmedByLink
      name="Confirm new e-mail address"
      confirm={(token) => client.users.confirmNewEmail({ token }, { context: { background: true } })}
      done="Your e-mail address is changed. From now on you sign in with it."
      ifFollowed="If you followed it before, sign in with the new address."
      refusals={{ USER_ALREADY_REGISTERED: "Another account has this address by now. Yours has not changed." }}
    />
  )
}
