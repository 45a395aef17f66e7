import type { ListInput } from "@milkwood/domain/kernel/list"
import { membersList } from "@milkwood/domain/members/members.list"
import { policySteps } from "@milkwood/domain/policies/policy-form"

const { tabs: _tabs, filters: _filters, ...members } = membersList

export const policyMembersList = { ...members, key: "policy-members", search: "Search name or number" } as const
export type MemberSearch = ListInput<typeof policyMembersList>

export const wizardTabs = policySteps.map(({ id }) => id)
