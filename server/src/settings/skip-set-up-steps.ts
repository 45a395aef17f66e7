import { setUpSettings } from "@milkwood/domain/settings/set-up-shape"
import { changeSkippedSteps } from "@milkwood/domain/settings/set-up-steps"
import { settingsContract } from "@milkwood/domain/settings/settings.contract"
import { command } from "../platform/calls/commands.ts"
import { lockSettings, readSettings, writeSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { readSetUpSteps } from "./set-up-steps.queries.ts"

export const skipSetUpSteps = command(settingsContract.skipSetUpSteps, async (cx) => {
  await lockSettings(cx)
  const before = await readSettings(cx.tx, setUpSettings)
  const after = { skippedSetUpSteps: changeSkippedSteps(before.skippedSetUpSteps, cx.input) }
  if (after.skippedSetUpSteps.join() !== before.skippedSetUpSteps.join()) {
    await writeSettings(cx, after)
    await record(cx, [
      {
        type: "SettingsSaved",
        record: { kind: "settings", id: null, label: "Settings" },
        groupId: null,
        before,
        after,
      },
    ])
  }
  return readSetUpSteps(cx)
})
