import { api } from "../platform/api.ts"

/** Employer groups to choose from. */
export const groupsQuery = (search = "") => api.employers.groups.queryOptions({ input: { search } })
