import { setUpContract } from "@milkwood/domain/settings/set-up.contract"
import { addFirstAccount } from "../banking/save-bank-account.ts"
import { command, invalidInput } from "../platform/calls/commands.ts"
import { beginSession, requireSession, requireUser, sendSessionCookies } from "../users/sessions.ts"
import { createAdministrator } from "../users/setup.ts"
import { saveOrganisation } from "./save-settings.ts"

export const setUp = command(
  setUpContract,
  async (cx) => {
    const { input, context } = cx
    const made = await createAdministrator(cx, input)
    if (made.first) {
      if (!input.organisation)
        throw invalidInput([{ path: "organisation.name", message: "Enter the organisation's name" }])
      await saveOrganisation(made.cx, input.organisation)
      await addFirstAccount(made.cx, input.organisation)
    }
    return sendSessionCookies(
      context,
      requireSession(await beginSession(made.cx, requireUser(made.cx).userId, context.headers)),
    )
  },
  { as: "auth" },
)
