import { createFileRoute } from "@tanstack/react-router"
import { addressOf, useListPlace } from "../../ui/list-address.ts"
import { memberSorts, wizardTabs } from "../policy-places.ts"
import { PolicyWizard } from "../policy-wizard.tsx"

export const Route = createFileRoute("/_app/policies/new")({
  ...addressOf({ sorts: memberSorts, defaultSort: "name", tabs: wizardTabs }),
  staticData: { permission: "policies.write" },
  component: NewPolicyPage,
})

/** A policy to be; its first save gives it a number and an address of its own. */
function NewPolicyPage() {
  return <PolicyWizard list={useListPlace(Route.useSearch())} />
}
