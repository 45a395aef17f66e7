import { bulkAddMembers, bulkRemoveMembers } from "./bulk-members.ts"
import { changeMemberTier } from "./change-member-tier.ts"
import { createMember } from "./create-member.ts"
import { listMembers, pickMembers } from "./member-list.queries.ts"
import { coverOnDay, memberActivity, memberDetailQuery } from "./members.queries.ts"
import { removeMember } from "./remove-member.ts"
import { salariesOfMember, setSalary } from "./salaries.ts"
import { sameIdentity } from "./same-identity.queries.ts"
import { reinstateMember, suspendMember } from "./suspend-member.ts"
import { terminateMember } from "./terminate-member.ts"
import { updateMember } from "./update-member.ts"
import { withdrawPlans } from "./withdraw-plans.ts"

export const membersRouter = {
  list: listMembers,
  pick: pickMembers,
  detail: memberDetailQuery,
  activity: memberActivity,
  coverOn: coverOnDay,
  sameIdentity,
  create: createMember,
  update: updateMember,
  suspend: suspendMember,
  reinstate: reinstateMember,
  terminate: terminateMember,
  withdraw: withdrawPlans,
  salaries: salariesOfMember,
  setSalary,
  changeTier: changeMemberTier,
  remove: removeMember,
  bulkAdd: bulkAddMembers,
  bulkRemove: bulkRemoveMembers,
}
