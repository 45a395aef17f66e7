import { closeEmployerGroup, createEmployer, reopenEmployerGroup, updateEmployer } from "./edit-employer.ts"
import {
  addEmployerContact,
  listEmployerContacts,
  removeEmployerContact,
  updateEmployerContact,
} from "./employer-contacts.ts"
import { listEmployers } from "./employer-list.queries.ts"
import { employerActivity, employerDetail, employerGroups } from "./employers.queries.ts"

export const employersRouter = {
  contacts: {
    list: listEmployerContacts,
    add: addEmployerContact,
    update: updateEmployerContact,
    remove: removeEmployerContact,
  },
  groups: employerGroups,
  list: listEmployers,
  detail: employerDetail,
  activity: employerActivity,
  create: createEmployer,
  update: updateEmployer,
  close: closeEmployerGroup,
  reopen: reopenEmployerGroup,
}
