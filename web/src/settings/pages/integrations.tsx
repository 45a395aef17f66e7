import { createFileRoute } from "@tanstack/react-router"
import { ServiceKeys } from "../../users/service-keys.tsx"
import { Webhooks } from "../../webhooks/webhooks.tsx"

export const Route = createFileRoute("/_app/settings/integrations")({
  staticData: { permission: "integrations.manage" },
  component: Integrations,
})

function Integrations() {
  return (
    <>
      <ServiceKeys />
      <Webhooks />
    </>
  )
}
