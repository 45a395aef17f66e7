import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconCircleCheck,
  IconCircleDashed,
  IconClock,
  IconEye,
  IconFileAlert,
  IconHourglass,
  IconLoader2,
  IconPencil,
  IconPlayerPause,
  IconPlus,
  IconSend,
  IconX,
} from "@tabler/icons-react"
import type { ComponentType } from "react"
import classes from "./status-badge.module.css"

/** Status colours; teal is not a status colour. */
export type Tone = "grey" | "blue" | "amber" | "green" | "violet" | "red"

type Icon = ComponentType<{ size?: number; stroke?: number; className?: string }>

interface Look {
  tone: Tone
  icon: Icon
  word?: string
  /** The normal status: plain text, so that exceptions stand out. */
  normal?: true
}

const statusLooks: Record<string, Look> = {
  draft: { tone: "grey", icon: IconPencil },
  cancelled: { tone: "grey", icon: IconBan },
  withdrawn: { tone: "grey", icon: IconBan },
  expired: { tone: "grey", icon: IconCircleDashed },
  terminated: { tone: "grey", icon: IconBan },
  closed: { tone: "grey", icon: IconBan },
  suspended: { tone: "amber", icon: IconPlayerPause },
  reversed: { tone: "grey", icon: IconBan },
  credited: { tone: "grey", icon: IconBan },
  written_off: { tone: "grey", icon: IconBan, word: "Written off" },
  declined: { tone: "grey", icon: IconX },
  discarded: { tone: "grey", icon: IconBan },
  undone: { tone: "grey", icon: IconBan },
  paused: { tone: "grey", icon: IconPlayerPause },
  skipped: { tone: "grey", icon: IconCircleDashed },
  disabled: { tone: "grey", icon: IconBan },

  submitted: { tone: "blue", icon: IconSend },
  under_review: { tone: "blue", icon: IconEye },
  sent: { tone: "blue", icon: IconSend },
  released: { tone: "blue", icon: IconSend },
  open: { tone: "amber", icon: IconHourglass },
  processing: { tone: "blue", icon: IconLoader2 },
  making: { tone: "blue", icon: IconLoader2, word: "Processing" },
  scheduled: { tone: "blue", icon: IconClock },
  running: { tone: "blue", icon: IconLoader2 },
  queued: { tone: "blue", icon: IconClock },
  invited: { tone: "blue", icon: IconSend },
  under_assessment: { tone: "blue", icon: IconEye, word: "Under Assessment" },
  medium: { tone: "blue", icon: IconClock, normal: true },

  pending: { tone: "amber", icon: IconHourglass },
  pending_review: { tone: "amber", icon: IconHourglass, word: "Pending Review" },
  pending_group_admin: { tone: "amber", icon: IconHourglass, word: "Pending group administrator" },
  pending_underwriter: { tone: "amber", icon: IconHourglass, word: "Pending underwriter" },
  pending_policy_holder: { tone: "amber", icon: IconHourglass, word: "Pending policy holder" },
  required: { tone: "amber", icon: IconFileAlert },
  documentation_required: { tone: "amber", icon: IconFileAlert, word: "Documentation Required" },
  waiting: { tone: "amber", icon: IconHourglass },
  warning: { tone: "amber", icon: IconAlertTriangle },
  high: { tone: "amber", icon: IconAlertTriangle },

  active: { tone: "green", icon: IconCircleCheck, normal: true },
  approved: { tone: "green", icon: IconCheck },
  paid: { tone: "green", icon: IconCircleCheck, normal: true },
  allocated: { tone: "green", icon: IconCircleCheck, normal: true },
  completed: { tone: "green", icon: IconCircleCheck, normal: true },
  committed: { tone: "green", icon: IconCircleCheck },
  made: { tone: "green", icon: IconCircleCheck, normal: true },
  done: { tone: "green", icon: IconCircleCheck, normal: true },
  uploaded: { tone: "green", icon: IconCheck },
  delivered: { tone: "green", icon: IconCheck, normal: true },
  ready: { tone: "green", icon: IconCheck },
  pass: { tone: "green", icon: IconCheck },

  current: { tone: "green", icon: IconCircleCheck, normal: true },
  in_grace: { tone: "amber", icon: IconClock, word: "In grace" },
  grace_over: { tone: "red", icon: IconAlertTriangle, word: "Grace period ended" },
  kept_promise: { tone: "green", icon: IconCheck, word: "Promise kept" },
  partial: { tone: "amber", icon: IconHourglass },
  promised: { tone: "blue", icon: IconClock },
  disputed: { tone: "amber", icon: IconAlertTriangle },
  broken_promise: { tone: "red", icon: IconAlertTriangle, word: "Promise broken" },

  matched: { tone: "green", icon: IconCircleCheck, normal: true },
  not_due: { tone: "blue", icon: IconClock, word: "Not due" },
  shortage: { tone: "red", icon: IconAlertTriangle },
  missing: { tone: "red", icon: IconAlertTriangle },
  excess: { tone: "violet", icon: IconPlus },

  rejected: { tone: "red", icon: IconX },
  overdue: { tone: "red", icon: IconAlertTriangle },
  failed: { tone: "red", icon: IconX },
  returned: { tone: "red", icon: IconX },
  fail: { tone: "red", icon: IconX },
  urgent: { tone: "red", icon: IconAlertTriangle },
  error: { tone: "red", icon: IconX },
}

const unknown: Look = { tone: "grey", icon: IconCircleDashed }

const statusKeyOf = (status: string) =>
  status
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_")

export const toneOf = (status: string): Tone => (statusLooks[statusKeyOf(status)] ?? unknown).tone

export function statusText(status: string): string {
  const known = statusLooks[statusKeyOf(status)]?.word
  if (known) return known
  const words = status.replaceAll("_", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * A status as icon and word; the normal status in a list is the word only.
 *
 *     <StatusBadge status={claim.status} />
 *     <StatusBadge status="overdue" label="Overdue by 12 days" />
 *     <StatusBadge status={invoice.status} upperCase />        // the invoice header
 */
export function StatusBadge(props: { status: string; label?: string; upperCase?: boolean; size?: "sm" | "md" }) {
  const { status, label, upperCase, size = "sm" } = props
  const { tone, icon: Icon, normal } = statusLooks[statusKeyOf(status)] ?? unknown
  const word = label ?? statusText(status)
  if (normal && size === "sm") return <span>{word}</span>
  return (
    <span className={classes.badge} data-tone={tone} data-size={size}>
      <Icon size={size === "md" ? 14 : 12} stroke={2.2} className={classes.icon} aria-hidden />
      {upperCase ? word.toUpperCase() : word}
    </span>
  )
}
