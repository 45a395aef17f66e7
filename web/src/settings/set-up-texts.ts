import type { SetUpGap, SetUpStep } from "@milkwood/domain/settings/set-up-steps"
import { type LinkProps, linkOptions } from "@tanstack/react-router"

export const setUpTexts: Record<SetUpStep, { title: string; words: string; action: string; link: LinkProps }> = {
  organisation: {
    title: "Organisation",
    words: "The VAT number and bank account on your invoices. Skip this step if you are not registered for VAT.",
    action: "Open settings",
    link: linkOptions({ to: "/settings" }),
  },
  mailServer: {
    title: "Mail server",
    words: "Without one, e-mails stay in the outbox.",
    action: "Set up the mail server",
    link: linkOptions({ to: "/settings/email", hash: "server" }),
  },
  backupKey: {
    title: "Backup key",
    words: "Backups are encrypted with this key. Keep it outside the system.",
    action: "Make a key",
    link: linkOptions({ to: "/settings/security" }),
  },
  colleagues: {
    title: "Colleagues",
    words: "A second person is needed to release payments.",
    action: "Invite colleagues",
    link: linkOptions({ to: "/settings/users" }),
  },
  benefits: {
    title: "Benefits",
    words: "Start with a set below and edit it before you save it, or add your own.",
    action: "Add your own",
    link: linkOptions({ to: "/benefits" }),
  },
  employer: {
    title: "First employer",
    words: "Create a policy for the employer and activate it.",
    action: "Create a policy",
    link: linkOptions({ to: "/policies/new" }),
  },
  members: {
    title: "Members",
    words: "Import the employer's staff list, or add members one by one.",
    action: "Import a staff list",
    link: linkOptions({ to: "/members/import" }),
  },
  invoices: {
    title: "First invoices",
    words: "Run billing for the month, then send the invoices.",
    action: "Run billing",
    link: linkOptions({ to: "/invoices/run" }),
  },
}

export const setUpGapTexts: Record<SetUpGap, string> = {
  bankAccount: "The bank account is missing.",
  vatNumber: "The VAT number is missing.",
  activation: "A policy is saved as a draft. Activate it.",
  sending: "Invoices are made. Approve and send them.",
}
