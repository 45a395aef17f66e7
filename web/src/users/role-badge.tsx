import type { Role } from "@milkwood/domain/platform/permission"
import { roleNames } from "@milkwood/domain/users/user"
import classes from "./role-badge.module.css"

export function RoleBadge({ role }: { role: Role | null }) {
  const look = role === "admin" ? "admin" : role === "manager" ? "manager" : "other"
  return (
    <span className={classes.role} data-look={look}>
      {role ? roleNames[role] : "No role yet"}
    </span>
  )
}
