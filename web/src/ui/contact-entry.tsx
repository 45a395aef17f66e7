import type { ReactNode } from "react"
import classes from "./contact-entry.module.css"

/** Notes, calls and e-mails, newest first. */
export function ContactEntries({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className={classes.entries} aria-label={label}>
      {children}
    </ul>
  )
}

interface ContactEntryProps {
  /** A title with badges. */
  head: ReactNode
  text?: ReactNode
  /** Time and author. */
  by: ReactNode
  children?: ReactNode
  /** Below the author. */
  actions?: ReactNode
}

/**
 * One contact with a person.
 *
 *     <ContactEntry head={<strong>Outgoing call</strong>} text={note.text} by={<>…, {note.writtenBy}</>} />
 */
export function ContactEntry({ head, text, by, children, actions }: ContactEntryProps) {
  return (
    <li className={classes.entry}>
      <span className={classes.head}>{head}</span>
      {children}
      {text && <span className={classes.text}>{text}</span>}
      <span className={classes.by}>{by}</span>
      {actions}
    </li>
  )
}
