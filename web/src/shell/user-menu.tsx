import { UnstyledButton } from "@mantine/core"
import { initialsOf } from "@milkwood/domain/users/user"
import type { ComponentProps } from "react"
import { useSession } from "../platform/session.ts"
import { lazyPopup } from "../ui/lazy-popup.tsx"
import classes from "./user-menu.module.css"

export function UserMenu() {
  return <UserPopup button={<UserButton />} />
}

const UserPopup = lazyPopup(() => import("./user-menu-panel.tsx"))

function UserButton({ className, ...props }: ComponentProps<"button">) {
  const { user } = useSession()
  return (
    <UnstyledButton className={`${classes.button} ${className ?? ""}`} aria-haspopup="menu" {...props}>
      <span className={classes.initials} aria-hidden>
        {initialsOf(user.name)}
      </span>
      <span className="visually-hidden">User menu: {user.name}</span>
    </UnstyledButton>
  )
}
