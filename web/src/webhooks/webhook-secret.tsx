import { SecretDialog } from "../ui/shown-once.tsx"

export function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <SecretDialog
      title="Save this secret"
      words="Your program uses this secret to verify the signature of each message (Standard Webhooks). It is not shown again."
      secret={secret}
      fileName="milkwood-webhook-secret.txt"
      onClose={onClose}
    />
  )
}
