import { noBankAccount } from "@milkwood/domain/billing/paper-rules"
import { Link } from "@tanstack/react-router"
import { useSession } from "../platform/session.ts"
import { useDisplay } from "../ui/display.tsx"
import { InlineError } from "../ui/inline-error.tsx"

/** The server refuses to send without a bank account. */
export function NoBankAccount() {
  const { hasBankAccount } = useDisplay()
  const { can } = useSession()
  if (hasBankAccount) return null
  return (
    <InlineError tone="warning" mt="sm">
      {noBankAccount.NO_BANK_ACCOUNT.message} {can("settings.manage") && <Link to="/settings">Open Settings</Link>}
    </InlineError>
  )
}
