import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const groupsQuery = (search = "") => api.employers.groups.queryOptions({ input: { search } })

/** Closed employers get no new policies. */
export const openGroupsQuery = (search: string) =>
  api.employers.groups.queryOptions({ input: { search, onlyOpen: true } })

export const employerQuery = (groupId: string) => api.employers.detail.queryOptions({ input: { groupId } })

export const employerAccountQuery = (groupId: string) =>
  api.reports.employerAccount.queryOptions({ input: { groupId } })

export const employerContactsQuery = (groupId: string) =>
  api.employers.contacts.list.queryOptions({ input: { groupId } })

export const useContactCommands = () => ({
  add: useCommand(api.employers.contacts.add, { success: "Contact added", failure: "Failed to add the contact" }),
  update: useCommand(api.employers.contacts.update, {
    success: "Contact saved",
    failure: "Failed to save the contact",
  }),
  remove: useCommand(api.employers.contacts.remove, {
    success: "Contact removed",
    failure: "Failed to remove the contact",
  }),
})

/** Stale versions are handled by the section, which shows both values. */
export const useEmployerCommands = () => ({
  create: useCommand(api.employers.create, { success: "Employer created", failure: "Failed to create the employer" }),
  update: useCommand(api.employers.update, {
    success: "Changes Saved",
    failure: "Failed to save changes",
    quiet: ["STALE"],
  }),
  close: useCommand(api.employers.close, { success: "Employer closed", failure: "Failed to close the employer" }),
  reopen: useCommand(api.employers.reopen, {
    success: "Employer reopened",
    failure: "Failed to reopen the employer",
  }),
})
