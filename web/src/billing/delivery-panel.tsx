import { maxMailsListed } from "@milkwood/domain/billing/delivery"
import type { DeliveredMail } from "@milkwood/domain/billing/delivery-shape"
import { mailStateNames } from "@milkwood/domain/platform/mail-states"
import { InstantText } from "../ui/day.tsx"
import { mailStateLooks } from "../ui/mail-state-looks.ts"
import { SidePanel } from "../ui/record-page.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import classes from "./invoice.module.css"

/** `none` is the text shown if there are no mails. */
export function DeliveryPanel({ mails, none }: { mails: readonly DeliveredMail[]; none: string }) {
  return (
    <SidePanel title="Delivery">
      {mails.length === 0 ? (
        <span className={classes.quiet}>{none}</span>
      ) : (
        <ul className={classes.mails}>
          {mails.map(({ id, to, state, error, createdAt, sentAt }) => (
            <li key={id} className={classes.mail}>
              <span className={classes.mailHead}>
                <span className={classes.address}>{to}</span>
                <StatusBadge status={mailStateLooks[state]} label={mailStateNames[state]} />
              </span>
              <span className={classes.quiet}>
                {state === "kept" && "Issued but not emailed: no mail server is set up. "}
                <InstantText at={sentAt ?? createdAt} />
              </span>
              {error && state !== "sent" && (
                <span className={classes.mailError}>Error from the mail server: {error}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {mails.length === maxMailsListed && <span className={classes.quiet}>Older e-mails are in the outbox.</span>}
    </SidePanel>
  )
}
