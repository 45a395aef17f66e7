import { hasBankAccount } from "@milkwood/domain/billing/paper-rules"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { settingsContract } from "@milkwood/domain/settings/settings.contract"
import { query } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { listTrail, trailChoices, trailDetail } from "./audit-trail.queries.ts"
import { requestTrailCheck, trailChain } from "./check-trail.ts"
import { removeLogo } from "./logo/save-logo.ts"
import { confirmMailServer, withdrawMailServer } from "./mail-server-change.ts"
import { outboxDetail } from "./outbox.queries.ts"
import { listMails } from "./outbox-list.queries.ts"
import { retryMail } from "./retry-mail.ts"
import { resetToDefaults, saveSettings } from "./save-settings.ts"
import { sendTemplate } from "./send-template.ts"
import { sendTestMail } from "./send-test-mail.ts"
import { setUp } from "./set-up.ts"
import { readSetUpSteps } from "./set-up-steps.queries.ts"
import { readSettingsDetail } from "./settings.queries.ts"
import { skipSetUpSteps } from "./skip-set-up-steps.ts"

export const settingsRouter = {
  setUp,
  setUpSteps: query(settingsContract.setUpSteps, readSetUpSteps),
  skipSetUpSteps,
  display: query(settingsContract.display, async ({ tx, today }) => {
    const { organisation, timezone, dateFormat, currency, maxFileMegabytes, allowedFileTypes } = await readSettings(
      tx,
      platformSettings,
    )
    return {
      organisationName: organisation.name,
      timezone,
      dateFormat,
      currency,
      maxFileMegabytes,
      allowedFileTypes,
      today,
      hasBankAccount: hasBankAccount(organisation),
    }
  }),
  detail: query(settingsContract.detail, readSettingsDetail),
  save: saveSettings,
  reset: resetToDefaults,
  removeLogo,
  mailServer: { confirm: confirmMailServer, withdraw: withdrawMailServer },
  trail: {
    list: listTrail,
    detail: trailDetail,
    choices: trailChoices,
    chain: trailChain,
    check: requestTrailCheck,
  },
  outbox: { list: listMails, detail: outboxDetail, retry: retryMail, sendTest: sendTestMail, sendTemplate },
}
