import type { Role } from "@milkwood/domain/platform/permission"
import { roleNames } from "@milkwood/domain/users/user"
import classes from "./role-badge.module.css"

/** A role as a badge: its look differs for administrators, managers and everybody else. */
export function RoleBadge({ role }: { role: Role | null }) {
  const look = role === "admin" ? "admin" : role === "manager" ? "manager" : "other"
  return (
    <span className={classes.role} data-look={look}>
      {role ? roleNames[role] : "No role yet"}
    </span>
  )
}
