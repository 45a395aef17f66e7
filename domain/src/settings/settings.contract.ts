import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { proofRequired, readProcedure, secondFactorRequired, writeProcedure } from "../kernel/procedure.ts"
import { emailAddress } from "../kernel/text-shape.ts"
import { mailDeliveries, maxMailPasswordLength } from "../platform/mail-server.ts"
import { mailServer } from "../platform/mail-settings.ts"
import { mailStates } from "../platform/mail-states.ts"
import { mailText } from "../platform/mail-template-shape.ts"
import { mailTemplateNames } from "./mail-templates.ts"
import { outboxList } from "./outbox.list.ts"
import { setUpContract } from "./set-up.contract.ts"
import { setUpActions, setUpGaps, setUpStates, setUpSteps } from "./set-up-steps.ts"
import { settings } from "./settings.ts"
import { trailContract } from "./trail.contract.ts"

export const mailServerActions = ["confirm", "withdraw"] as const

/** Awaits a second administrator; the password is never returned. */
export const mailServerChange = z.object({
  id: z.uuid(),
  server: mailServer,
  askedAt: instant,
  askedBy: z.string(),
  allowedActions: z.array(z.enum(mailServerActions)),
})
export type MailServerChange = z.infer<typeof mailServerChange>

/** Sizes in pixels; the image is at `GET /api/settings/logo`. */
export const logoDetail = z.object({
  fileName: z.string(),
  width: z.int(),
  height: z.int(),
  savedAt: instant,
  savedBy: z.string().nullable(),
})
export type LogoDetail = z.infer<typeof logoDetail>

/** `version` is required by an edit. */
export const settingsDetail = z.object({
  version: z.int(),
  settings,
  defaults: settings,
  /** Null before the first save. */
  savedAt: instant.nullable(),
  savedBy: z.string().nullable(),
  /** Where mail is delivered. SMTP_URL overrides the settings; without either, mail stays in the outbox. */
  mailDelivery: z.enum(mailDeliveries),
  /** The mail server's password is never returned. */
  hasMailPassword: z.boolean(),
  /** True once an amount was posted or a bank line imported; the currency is then fixed. */
  recordsAmounts: z.boolean(),
  /** A change that awaits a second administrator; until then mail uses the previous server. */
  mailServerChange: mailServerChange.nullable(),
  /** When held sign-in links are sent, after a change without a second administrator. */
  linksHeldUntil: instant.nullable(),
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
  /** Last answer of the mail server, if delivery failed. */
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

export const setUpDetail = z.object({
  steps: z.array(
    z.object({
      step: z.enum(setUpSteps),
      state: z.enum(setUpStates),
      /** What an open or skipped step still needs. */
      gaps: z.array(z.enum(setUpGaps)),
      allowedActions: z.array(z.enum(setUpActions)),
    }),
  ),
  /** The first open step; null when the set-up is over. */
  next: z.enum(setUpSteps).nullable(),
})
export type SetUpDetail = z.infer<typeof setUpDetail>

export const settingsContract = {
  setUp: setUpContract,

  /** The steps of the set-up that the caller's role may take, with their states as stored now. */
  setUpSteps: readProcedure("setUp.read")
    .route({
      method: "GET",
      path: "/settings/set-up/steps",
      summary: "List the steps of the set-up",
      tags: ["Settings"],
    })
    .output(setUpDetail),

  /** Skips steps, or offers them again. Other skipped steps stay as they are; repeating a call changes nothing. */
  skipSetUpSteps: writeProcedure("settings.manage")
    .route({ method: "POST", path: "/settings/set-up/skip", summary: "Skip steps of the set-up", tags: ["Settings"] })
    .input(z.object({ steps: z.array(z.enum(setUpSteps)).min(1).max(setUpSteps.length), isSkipped: z.boolean() }))
    .output(setUpDetail),
  trail: trailContract,

  /** Formats, today's date and accepted file types, for any signed-in account. */
  display: readProcedure("session")
    .route({ method: "GET", path: "/settings/display", summary: "Read the display settings", tags: ["Settings"] })
    .output(
      settings
        .pick({ timezone: true, dateFormat: true, currency: true, maxFileMegabytes: true, allowedFileTypes: true })
        .extend({
          organisationName: z.string(),
          today: day,
          /** Invoices are not sent without a bank account. */
          hasBankAccount: z.boolean(),
        }),
    ),

  /** All settings, with defaults. Administrators only. */
  detail: readProcedure("settings.manage")
    .route({ method: "GET", path: "/settings", summary: "Read the settings", tags: ["Settings"] })
    .output(settingsDetail),

  /**
   * Saves all settings. STALE carries the current ones. INVALID if an address list excludes the caller, product types
   * charge VAT without a VAT number, or the currency changes after a posting. PROOF_REQUIRED for bank details,
   * permissions or mail delivery.
   *
   * An omitted `mailPassword` keeps the stored one, unless server or user change (INVALID). It is stored encrypted and
   * never returned or audited. Replacing a working mail server needs a second factor (SECOND_FACTOR_REQUIRED) and a
   * second administrator's confirmation (`mailServerChange`). Without a second administrator, sign-in links are held
   * back for 24 hours.
   */
  save: writeProcedure("settings.manage")
    .route({ method: "PUT", path: "/settings", summary: "Save the settings", tags: ["Settings"] })
    .input(z.object({ version: z.int(), settings, mailPassword: z.string().max(maxMailPasswordLength).optional() }))
    .output(settingsDetail)
    .errors({ ...proofRequired, ...secondFactorRequired }),

  mailServer: {
    /**
     * Applies another administrator's mail server change. The confirming administrator needs a second factor and 24
     * hours in the role. NOT_FOUND if already decided.
     */
    confirm: writeProcedure("settings.manage")
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
        OWN_CHANGE: { status: 403, message: "You requested this change. Another administrator must confirm it." },
        TOO_NEW: {
          status: 403,
          message: "You can confirm this change 24 hours after you became an administrator.",
        },
      }),

    /** Withdraws a pending mail server change. NOT_FOUND if already decided. */
    withdraw: writeProcedure("settings.manage")
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
   * Removes the logo from new documents; stored ones are unchanged. NOT_FOUND without a logo. `POST /api/settings/logo`
   * uploads one.
   */
  removeLogo: writeProcedure("settings.manage")
    .route({ method: "POST", path: "/settings/logo/remove", summary: "Remove the logo", tags: ["Settings"] })
    .output(settingsDetail),

  /** Resets everything except the organisation and, once amounts are posted, the currency. STALE as for save. */
  reset: writeProcedure("settings.manage")
    .route({ method: "POST", path: "/settings/reset", summary: "Reset to defaults", tags: ["Settings"] })
    .input(z.object({ version: z.int() }))
    .output(settingsDetail)
    .errors({ ...proofRequired, ...secondFactorRequired }),

  outbox: {
    /** Newest first, with counts per state. Administrators only. */
    list: readProcedure("outbox.read")
      .route({ method: "GET", path: "/settings/outbox", summary: "List outbox e-mails", tags: ["Settings"] })
      .input(listInput(outboxList))
      .output(listOutput(outboxList, mailRow)),

    /**
     * A sign-in link in the text is shown only without a mail server. Reads are audited. NOT_FOUND for an unknown mail.
     */
    detail: readProcedure("outbox.read")
      .route({ method: "GET", path: "/settings/outbox/{mailId}", summary: "Read an outbox e-mail", tags: ["Settings"] })
      .input(z.object({ mailId: z.uuid() }))
      .output(mailDetail),

    /** Queues a failed, waiting or held mail immediately. NO_SMTP without a mail server. */
    retry: writeProcedure("settings.manage")
      .route({
        method: "POST",
        path: "/settings/outbox/{mailId}/retry",
        summary: "Send an outbox e-mail again",
        tags: ["Settings"],
      })
      .input(z.object({ mailId: z.uuid() }))
      .output(mailDetail)
      .errors({
        ALREADY_SENT: { status: 409, message: "This e-mail has already been delivered." },
        NO_SMTP: {
          status: 409,
          message: "No mail server is set up, so e-mails stay in the outbox.",
        },
      }),

    /**
     * Sends a test mail immediately by the normal route. `answer` is the mail server's reply; null if there is none, or
     * if another process delivers the mail.
     */
    sendTest: writeProcedure("settings.manage")
      .route({ method: "POST", path: "/settings/outbox/test", summary: "Send a test e-mail", tags: ["Settings"] })
      .input(z.object({ to: emailAddress("Enter a valid e-mail address") }))
      .output(testedMail),

    /**
     * Sends the unsaved template with sample values. INVALID names an unknown or missing placeholder. Returns the same
     * as `sendTest`.
     */
    sendTemplate: writeProcedure("settings.manage")
      .route({
        method: "POST",
        path: "/settings/outbox/template",
        summary: "Send a template as a test",
        tags: ["Settings"],
      })
      .input(
        z.object({
          to: emailAddress("Enter a valid e-mail address"),
          template: z.enum(mailTemplateNames),
          mail: mailText,
        }),
      )
      .output(testedMail),
  },
}
