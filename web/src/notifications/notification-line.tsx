import { ActionIcon } from "@mantine/core"
import type { Notification } from "@milkwood/domain/notifications/notifications.contract"
import { IconCheck, IconMail } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { InstantText } from "../ui/day.tsx"
import { useMarkNotification } from "./notifications.api.ts"
import classes from "./notifications.module.css"

interface NotificationLineProps {
  notification: Notification
  underItsDay?: boolean
  onFollow?: () => void
}

export function NotificationLine({ notification, underItsDay = false, onFollow }: NotificationLineProps) {
  const { id, text, groupName, path, at, isRead, isDone } = notification
  const mark = useMarkNotification()
  const isOpen = !isRead && !isDone
  const follow = () => {
    if (isOpen) mark.mutate({ ids: [id], isRead: true })
    onFollow?.()
  }
  const label = isRead ? `Mark as unread: ${text}` : `Mark as read: ${text}`
  return (
    <li className={classes.line} data-open={isOpen || undefined}>
      <div className={classes.words}>
        <Link to={path} className={classes.link} onClick={follow}>
          {isOpen && <span className="visually-hidden">Unread: </span>}
          {keepNumbersUnbroken(text)}
        </Link>
        <span className={classes.about}>
          {groupName && <span>{groupName} · </span>}
          {isDone && <span>Done · </span>}
          <InstantText at={at} show={underItsDay ? "time" : "both"} />
        </span>
      </div>
      {!isDone && (
        <ActionIcon
          size={32}
          aria-label={label}
          title={isRead ? "Mark as unread" : "Mark as read"}
          onClick={() => mark.mutate({ ids: [id], isRead: !isRead })}
        >
          {isRead ? <IconMail size={16} /> : <IconCheck size={16} />}
        </ActionIcon>
      )}
    </li>
  )
}
