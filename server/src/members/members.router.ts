import { bulkAddMembers, bulkRemoveMembers } from "./bulk-members.ts"
import { changeMemberTier } from "./change-member-tier.ts"
import { readCoverage } from "./coverage.queries.ts"
import { createMember } from "./create-member.ts"
import { listMembers, pickMembers } from "./member-list.queries.ts"
import { addMemberNote, completeMemberFollowUp, listMemberNotes, strikeMemberNote } from "./member-notes.ts"
import { readCoverOnDay, readMemberActivity, readMemberDetail } from "./members.queries.ts"
import { removeNominationDocument } from "./nomination-documents.ts"
import { readNominations } from "./nominations.queries.ts"
import { correctNomination, recordNomination, withdrawNomination } from "./record-nomination.ts"
import { removeMember } from "./remove-member.ts"
import { readSalaries, setSalary } from "./salaries.ts"
import { readSameIdentity } from "./same-identity.queries.ts"
import { reinstateMember, suspendMember } from "./suspend-member.ts"
import { terminateMember } from "./terminate-member.ts"
import { updateMember } from "./update-member.ts"
import { withdrawMemberPlans } from "./withdraw-plans.ts"

export const membersRouter = {
  nominations: {
    list: readNominations,
    record: recordNomination,
    correct: correctNomination,
    withdraw: withdrawNomination,
    removeDocument: removeNominationDocument,
  },
  list: listMembers,
  pick: pickMembers,
  detail: readMemberDetail,
  activity: readMemberActivity,
  coverOn: readCoverOnDay,
  coverage: readCoverage,
  sameIdentity: readSameIdentity,
  create: createMember,
  update: updateMember,
  suspend: suspendMember,
  reinstate: reinstateMember,
  terminate: terminateMember,
  withdraw: withdrawMemberPlans,
  salaries: readSalaries,
  setSalary,
  changeTier: changeMemberTier,
  notes: listMemberNotes,
  addNote: addMemberNote,
  strikeNote: strikeMemberNote,
  completeFollowUp: completeMemberFollowUp,
  remove: removeMember,
  bulkAdd: bulkAddMembers,
  bulkRemove: bulkRemoveMembers,
}
