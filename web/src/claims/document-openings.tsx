import { openerCount } from "@milkwood/domain/claims/document-openings"
import { type Role, roles } from "@milkwood/domain/platform/permission"
import { roleNames } from "@milkwood/domain/users/user"
import { useQuery } from "@tanstack/react-query"
import { useSession } from "../platform/session.ts"
import { InstantText } from "../ui/day.tsx"
import { openingsQuery } from "./claims.api.ts"
import classes from "./claims.module.css"

/** Shown only to readers who may see openings. */
export function DocumentOpenings({ claimId, documentId }: { claimId: string; documentId: string }) {
  const { can } = useSession()
  const { data } = useQuery({ ...openingsQuery(claimId), enabled: can("claims.openings") })
  if (!data) return null
  const openings = data.filter((one) => one.documentId === documentId)
  const [last] = openings
  if (!last) return <div>Not opened yet</div>
  const people = openerCount(openings)
  return (
    <details className={classes.openings}>
      <summary>
        Opened by {people === 1 ? "1 person" : `${people} people`}, last by {last.by} on <InstantText at={last.at} />
      </summary>
      <ul>
        {openings.map((one) => (
          <li key={`${one.byId} ${one.at}`}>
            {one.by}
            {roles.includes(one.role as Role) && `, ${roleNames[one.role as Role]}`}: <InstantText at={one.at} />
          </li>
        ))}
      </ul>
    </details>
  )
}
