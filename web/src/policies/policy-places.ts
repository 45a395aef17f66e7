import type { ListInput } from "@milkwood/domain/kernel/list"
import { membersList } from "@milkwood/domain/members/members.list"
import { policySteps } from "@milkwood/domain/policies/policy-form"

const { tabs: _tabs, filters: _filters, ...members } = membersList

/** The members of a policy: without views of their own, since the tabs and steps of the page have the address. */
export const policyMembersList = { ...members, key: "policy-members", search: "Search name or number" } as const
export type MemberSearch = ListInput<typeof policyMembersList>

/** The wizard's steps in the address. */
export const wizardTabs = policySteps.map(({ id }) => id)
