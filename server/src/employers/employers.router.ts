import { employerGroups } from "./employers.queries.ts"

export const employersRouter = {
  groups: employerGroups,
}
