import { policySteps } from "@milkwood/domain/policies/policy-form"
import type { ListSearch } from "../ui/list-address.ts"

/** What the members of a policy may be sorted by. Apart from the table, so that the address book stays small. */
export const memberSorts = ["name", "number", "startOn", "status"] as const
export type MemberSearch = Omit<ListSearch, "tab"> & { sort: (typeof memberSorts)[number] }

/** The wizard's steps in the address. */
export const wizardTabs = policySteps.map(({ id }) => id)
