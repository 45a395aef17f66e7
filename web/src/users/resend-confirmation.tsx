import { Button } from "@mantine/core"
import { client } from "../platform/api.ts"
import { toast } from "../ui/toast.tsx"
import { useBusyAction } from "../ui/use-busy-action.ts"

export function ResendConfirmation({ email }: { email: string }) {
  const { busy, run } = useBusyAction()
  const send = () =>
    run(async () => {
      try {
        await client.users.resendConfirmation({ email })
        toast.success("If your address is not confirmed yet, we sent a new link.")
      } catch (error) {
        toast.error("Failed to send the link", error)
      }
    })
  return (
    <div>
      <Button variant="default" size="compact-sm" mt={6} loading={busy} onClick={() => void send()}>
        Send the link again
      </Button>
    </div>
  )
}
