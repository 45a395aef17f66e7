import { setUpContract } from "@milkwood/domain/settings/set-up.contract"
import { addFirstAccount } from "../banking/save-bank-account.ts"
import { command, invalid } from "../platform/calls/commands.ts"
import { beginSession, sendSessionCookies, sessionOrRefusal, signedIn } from "../users/sessions.ts"
import { makeAdministrator } from "../users/setup.ts"
import { saveOrganisation } from "./save-settings.ts"

export const setUp = command(
  setUpContract,
  async (cx) => {
    const { input, context } = cx
    const made = await makeAdministrator(cx, input)
    if (made.first) {
      if (!input.organisation) throw invalid([{ path: "organisation.name", message: "Enter the organisation's name" }])
      await saveOrganisation(made.cx, input.organisation)
      await addFirstAccount(made.cx, input.organisation)
    }
    return sendSessionCookies(
      context,
      sessionOrRefusal(await beginSession(made.cx, signedIn(made.cx).userId, context.headers)),
    )
  },
  { as: "auth" },
)
