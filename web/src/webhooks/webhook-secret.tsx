import { ShownOnce } from "../ui/shown-once.tsx"

export function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title="Keep this secret"
      words="The program checks with it that a message comes from here and was not changed, as Standard Webhooks says. It is not shown again."
      secret={secret}
      fileName="milkwood-webhook-secret.txt"
      onClose={onClose}
    />
  )
}
