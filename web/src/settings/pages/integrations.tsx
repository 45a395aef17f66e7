import { createFileRoute } from "@tanstack/react-router"
import { ServiceKeys } from "../../users/service-keys.tsx"
import { Webhooks } from "../../webhooks/webhooks.tsx"

export const Route = createFileRoute("/_app/settings/integrations")({
  staticData: { permission: "integrations.manage" },
  component: Integrations,
})

/** Settings, Integrations: the keys that programs call with, and the addresses at which they are told of news. */
function Integrations() {
  return (
    <>
      <ServiceKeys />
      <Webhooks />
    </>
  )
}
