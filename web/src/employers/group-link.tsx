import { Link } from "@tanstack/react-router"
import { useSession } from "../platform/session.ts"

/** An employer's name, which opens its page. */
export function GroupLink({ id, name }: { id: string; name: string }) {
  const { can } = useSession()
  if (!can("policies.read")) return name
  return (
    <Link to="/groups/$groupId" params={{ groupId: id }}>
      {name}
    </Link>
  )
}
