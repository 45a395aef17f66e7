import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { cancelRun as cancelled } from "@milkwood/domain/billing/billing-run-steps"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { lockRun, saveRun } from "./run-record.ts"
import { runDetail } from "./runs.queries.ts"

export const cancelRun = command(billingContract.runs.cancel, async (cx) => {
  const run = await lockRun(cx, cx.input.runId)
  expectVersion(run, cx.input.version)
  await saveRun(cx, run, orRefuse(cancelled(run, cx.now)))
  return runDetail(cx, run.id)
})
