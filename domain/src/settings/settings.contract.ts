import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { proofRequired, read, secondFactorRequired, write } from "../kernel/procedure.ts"
import { emailAddress } from "../kernel/text-shape.ts"
import { longestMailPassword, mailDeliveries } from "../platform/mail-server.ts"
import { mailServer } from "../platform/mail-settings.ts"
import { mailStates } from "../platform/mail-states.ts"
import { mailText } from "../platform/mail-template-shape.ts"
import { mailTemplateNames } from "./mail-templates.ts"
import { outboxList } from "./outbox.list.ts"
import { setUpContract } from "./set-up.contract.ts"
import { settings } from "./settings.ts"
import { trailContract } from "./trail.contract.ts"

export const mailServerActions = ["confirm", "withdraw"] as const

/** A change of the mail server that waits for a second administrator. Its password is never answered. */
export const mailServerChange = z.object({
  id: z.uuid(),
  server: mailServer,
  askedAt: instant,
  askedBy: z.string(),
  allowedActions: z.array(z.enum(mailServerActions)),
})
export type MailServerChange = z.infer<typeof mailServerChange>

/** The logo on the organisation's documents, in pixels; the picture itself is `GET /api/settings/logo`. */
export const logoDetail = z.object({
  fileName: z.string(),
  width: z.int(),
  height: z.int(),
  savedAt: instant,
  savedBy: z.string().nullable(),
})
export type LogoDetail = z.infer<typeof logoDetail>

/** The settings as they stand, with the version that an edit must name. */
export const settingsDetail = z.object({
  version: z.int(),
  settings,
  defaults: settings,
  /** when they were last saved and by whom; null while nobody has */
  savedAt: instant.nullable(),
  savedBy: z.string().nullable(),
  /** where mail goes now: as SMTP_URL says, which wins over the settings; to their server; or it stays in the outbox */
  mailDelivery: z.enum(mailDeliveries),
  /** whether the password of the mail server is kept; it itself is never answered */
  hasMailPassword: z.boolean(),
  /** whether amounts are on record, posted or of the bank: the currency stays as it is from then on */
  recordsAmounts: z.boolean(),
  /** the change of the mail server that waits for a second administrator; mail goes to the server before until then */
  mailServerChange: mailServerChange.nullable(),
  /** until when links for signing in are held back after a change that no second administrator confirmed */
  linksHeldUntil: instant.nullable(),
  /** the logo on documents; null where none was uploaded */
  logo: logoDetail.nullable(),
})
export type SettingsDetail = z.infer<typeof settingsDetail>

export const mailRow = z.object({
  id: z.uuid(),
  to: z.string(),
  subject: z.string(),
  state: z.enum(mailStates),
  attempts: z.int(),
  createdAt: instant,
  sentAt: instant.nullable(),
  /** what the mail server said last; null when nothing went wrong */
  lastError: z.string().nullable(),
  allowedActions: z.array(z.enum(["retry"])),
})
export type MailRow = z.infer<typeof mailRow>

export const mailDetail = mailRow.extend({
  text: z.string(),
  attachments: z.array(z.object({ fileId: z.uuid(), name: z.string() })),
  nextAttemptAt: instant.nullable(),
})
export type MailDetail = z.infer<typeof mailDetail>

export const testedMail = mailDetail.extend({ answer: z.string().nullable() })
export type TestedMail = z.infer<typeof testedMail>

export const settingsContract = {
  setUp: setUpContract,
  trail: trailContract,

  /** What every screen needs to show days, amounts and names, which day it is, and what files are taken: open to any signed-in account. */
  display: read("session")
    .route({ method: "GET", path: "/settings/display", summary: "How days and names are shown", tags: ["Settings"] })
    .output(
      settings
        .pick({ timezone: true, dateFormat: true, currency: true, maxFileMegabytes: true, allowedFileTypes: true })
        .extend({
          organisationName: z.string(),
          today: day,
          /** whether invoices can name a bank account to pay into; without one they are not sent */
          hasBankAccount: z.boolean(),
        }),
    ),

  /** All settings with their defaults and version. Administrators only. */
  detail: read("settings.manage")
    .route({ method: "GET", path: "/settings", summary: "Read the settings", tags: ["Settings"] })
    .output(settingsDetail),

  /** Saves all settings at once. STALE answers the settings as somebody else saved them. Audited by changed key. A list of
   * addresses that leaves out whoever saves it is INVALID, and so is removing the VAT number while product types charge VAT, and so is another currency once something was posted; PROOF_REQUIRED where bank details, who may do what, or where mail
   * goes change. `mailPassword` is the mail server's: left out, the one that is kept stays, and is INVALID for another
   * server or user; it is kept sealed, and neither answered nor put on record. Another mail server than one that has
   * delivered mail needs a second factor (SECOND_FACTOR_REQUIRED) and waits, as `mailServerChange`, until a second
   * administrator confirms it; without a second administrator it holds links for signing in back for 24 hours. */
  save: write("settings.manage")
    .route({ method: "PUT", path: "/settings", summary: "Save the settings", tags: ["Settings"] })
    .input(z.object({ version: z.int(), settings, mailPassword: z.string().max(longestMailPassword).optional() }))
    .output(settingsDetail)
    .errors({ ...proofRequired, ...secondFactorRequired }),

  mailServer: {
    /**
     * Confirms the change of the mail server that another administrator asked for: it applies at once. The second
     * administrator has a second factor and has been an administrator for 24 hours. NOT_FOUND once it was decided.
     */
    confirm: write("settings.manage")
      .route({
        method: "POST",
        path: "/settings/mail-server/{changeId}/confirm",
        summary: "Confirm a change of the mail server",
        tags: ["Settings"],
      })
      .input(z.object({ changeId: z.uuid() }))
      .output(settingsDetail)
      .errors({
        ...proofRequired,
        ...secondFactorRequired,
        OWN_CHANGE: { status: 403, message: "You asked for this change. Another administrator confirms it." },
        TOO_NEW: {
          status: 403,
          message: "You can confirm this once you have been an administrator for 24 hours.",
        },
      }),

    /** Withdraws a change of the mail server that waits; the server stays as it is. NOT_FOUND once it was decided. */
    withdraw: write("settings.manage")
      .route({
        method: "POST",
        path: "/settings/mail-server/{changeId}/withdraw",
        summary: "Withdraw a change of the mail server",
        tags: ["Settings"],
      })
      .input(z.object({ changeId: z.uuid() }))
      .output(settingsDetail),
  },

  /**
   * Removes the logo from the documents that are made from now on; those that were kept stay as they are. NOT_FOUND where
   * there is none. `POST /api/settings/logo` uploads one.
   */
  removeLogo: write("settings.manage")
    .route({ method: "POST", path: "/settings/logo/remove", summary: "Remove the logo", tags: ["Settings"] })
    .output(settingsDetail),

  /** Puts every setting but the organisation's details back to its default; the currency only while nothing was posted. STALE as for save. */
  reset: write("settings.manage")
    .route({ method: "POST", path: "/settings/reset", summary: "Reset to defaults", tags: ["Settings"] })
    .input(z.object({ version: z.int() }))
    .output(settingsDetail)
    .errors({ ...proofRequired, ...secondFactorRequired }),

  outbox: {
    /** All mail, newest first, with the number of each state. Administrators only. */
    list: read("outbox.read")
      .route({ method: "GET", path: "/settings/outbox", summary: "List mail", tags: ["Settings"] })
      .input(listInput(outboxList))
      .output(listOutput(outboxList, mailRow)),

    /**
     * One mail with its text; a link to sign in only where no mail server delivers it. Who reads it is on record.
     * NOT_FOUND when there is none.
     */
    detail: read("outbox.read")
      .route({ method: "GET", path: "/settings/outbox/{mailId}", summary: "Read a mail", tags: ["Settings"] })
      .input(z.object({ mailId: z.uuid() }))
      .output(mailDetail),

    /** Puts a mail that failed, waits or was kept back in the queue, due at once. NO_SMTP without a mail server. */
    retry: write("settings.manage")
      .route({ method: "POST", path: "/settings/outbox/{mailId}/retry", summary: "Retry a mail", tags: ["Settings"] })
      .input(z.object({ mailId: z.uuid() }))
      .output(mailDetail)
      .errors({
        ALREADY_SENT: { status: 409, message: "This mail has already been delivered." },
        NO_SMTP: {
          status: 409,
          message: "No mail server is set up, so mail stays in the outbox.",
        },
      }),

    /**
     * Sends a mail that says that sending works, to the address given, the way of all mail and at once. `answer` is what
     * the mail server said to it; null where there is none, and where somebody else is delivering it.
     */
    sendTest: write("settings.manage")
      .route({ method: "POST", path: "/settings/outbox/test", summary: "Send a test mail", tags: ["Settings"] })
      .input(z.object({ to: emailAddress("Give a valid e-mail address") }))
      .output(testedMail),

    /**
     * Sends a template, as it is typed at the moment, with the values of its preview, at once. INVALID names a field that
     * there is none of, or one that the text needs. The answer is that of `sendTest`.
     */
    sendTemplate: write("settings.manage")
      .route({
        method: "POST",
        path: "/settings/outbox/template",
        summary: "Send a template as a test",
        tags: ["Settings"],
      })
      .input(
        z.object({
          to: emailAddress("Give a valid e-mail address"),
          template: z.enum(mailTemplateNames),
          mail: mailText,
        }),
      )
      .output(testedMail),
  },
}
