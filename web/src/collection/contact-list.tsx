import { callOutcomeNames, type PromiseState, promiseStateNames } from "@milkwood/domain/collection/collection"
import type { PremiumContact } from "@milkwood/domain/collection/collection.contract"
import { type MailState, mailStateNames } from "@milkwood/domain/platform/mail-states"
import { ContactEntries, ContactEntry } from "../ui/contact-entry.tsx"
import { DayText, InstantText } from "../ui/day.tsx"
import { MoneyText } from "../ui/money.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import classes from "./collection.module.css"

const promiseLooks: Record<PromiseState, string> = { open: "promised", kept: "kept_promise", broken: "broken_promise" }
const mailLooks: Record<MailState, string> = { queued: "waiting", sent: "delivered", kept: "kept", failed: "failed" }
const mailTitles = { reminder: "Reminder", notice: "Notice of non-payment" }

export function ContactList({ contacts }: { contacts: readonly PremiumContact[] }) {
  if (contacts.length === 0) return <span className={classes.quiet}>No calls or e-mails yet.</span>
  return (
    <ContactEntries>
      {contacts.map((contact) => (
        <ContactEntry
          key={contact.id}
          head={
            <>
              <strong>
                {contact.kind === "call"
                  ? contact.outcome && callOutcomeNames[contact.outcome]
                  : mailTitles[contact.kind]}
              </strong>
              {contact.promise && (
                <StatusBadge status={promiseLooks[contact.promise]} label={promiseStateNames[contact.promise]} />
              )}
              {contact.mail && <StatusBadge status={mailLooks[contact.mail]} label={mailStateNames[contact.mail]} />}
            </>
          }
          text={contact.note}
          by={
            <>
              <InstantText at={contact.madeAt} />, {contact.madeByName ?? "automatically"}
            </>
          }
        >
          {contact.promisedOn && (
            <span>
              <MoneyText cents={contact.promisedCents} /> by <DayText day={contact.promisedOn} />
            </span>
          )}
          {contact.sentTo && <span>To {contact.sentTo}</span>}
        </ContactEntry>
      ))}
    </ContactEntries>
  )
}
