import { Anchor } from "@mantine/core"
import type { PermissionName } from "@milkwood/domain/users/permission"
import { Link, type LinkProps } from "@tanstack/react-router"
import { useSession } from "../platform/session.ts"
import classes from "./record-page.module.css"
import { SidePanel } from "./record-page.tsx"

interface RelatedListsProps {
  links: { label: string; permission: PermissionName; link: LinkProps }[]
}

/**
 * The lists that hold what belongs to a record, for the side panel: the claims of a member, the invoices of a policy.
 *
 *     <RelatedLists links={[
 *       { label: "Claims", permission: "claims.read", link: linkOptions({ to: "/claims", search: { policyId } }) },
 *     ]} />
 */
export function RelatedLists({ links }: RelatedListsProps) {
  const { can } = useSession()
  const shown = links.filter(({ permission }) => can(permission))
  if (shown.length === 0) return null
  return (
    <SidePanel title="Related">
      <ul className={classes.related}>
        {shown.map(({ label, link }) => (
          <li key={label}>
            <Anchor renderRoot={(props) => <Link {...props} {...link} />}>{label}</Anchor>
          </li>
        ))}
      </ul>
    </SidePanel>
  )
}
