import { api } from "../platform/api.ts"

export const groupsQuery = (search = "") => api.employers.groups.queryOptions({ input: { search } })
