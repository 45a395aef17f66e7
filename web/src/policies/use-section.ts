import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { client } from "../platform/api.ts"
import { rethrowFieldErrors } from "../ui/refused-fields.ts"
import { usePolicyCommands } from "./policies.api.ts"

export function useSection(policy: PolicyDetail) {
  const { updateSection } = usePolicyCommands()
  type Change = Parameters<typeof updateSection.mutateAsync>[0]["change"]
  return {
    read: { record: policy, reload: () => client.policies.detail({ policyId: policy.id }) },
    save: (change: Change, version: number) =>
      updateSection.mutateAsync({ policyId: policy.id, version, change }).catch(rethrowFieldErrors("change.values")),
  }
}
