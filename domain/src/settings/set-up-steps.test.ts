import { describe, expect, it } from "vitest"
import { changeSkippedSteps, nextSetUpStep, type SetUpFacts, setUpStatesFor, setUpSteps } from "./set-up-steps.ts"

const nothing: SetUpFacts = {
  hasBankAccount: false,
  hasVatNumber: false,
  hasMailServer: false,
  hasBackupKey: false,
  hasColleagues: false,
  hasProductBenefits: false,
  hasPolicies: false,
  hasActivatedPolicies: false,
  hasMembers: false,
  hasInvoices: false,
  hasSentInvoices: false,
}
const everything = Object.fromEntries(Object.keys(nothing).map((key) => [key, true])) as unknown as SetUpFacts
const stateOf = (step: string, facts: Partial<SetUpFacts>, skipped: readonly (typeof setUpSteps)[number][] = []) =>
  setUpStatesFor("admin", { ...nothing, ...facts }, skipped).find((one) => one.step === step)

describe("the steps of the set-up", () => {
  it("are all open at first, in order", () => {
    const steps = setUpStatesFor("admin", nothing, [])
    expect(steps.map(({ step }) => step)).toEqual(setUpSteps)
    expect(steps.every(({ state }) => state === "open")).toBe(true)
    expect(nextSetUpStep(steps)).toBe("organisation")
  })

  it("leave no next step when each is done or skipped", () => {
    expect(nextSetUpStep(setUpStatesFor("admin", everything, []))).toBeNull()
    expect(nextSetUpStep(setUpStatesFor("admin", nothing, setUpSteps))).toBeNull()
    expect(nextSetUpStep(setUpStatesFor("admin", nothing, ["organisation"]))).toBe("mailServer")
  })

  it("state what a started step still needs", () => {
    expect(stateOf("organisation", { hasBankAccount: true })).toMatchObject({ state: "open", gaps: ["vatNumber"] })
    expect(stateOf("employer", { hasPolicies: true })).toMatchObject({ state: "open", gaps: ["activation"] })
    expect(stateOf("invoices", { hasInvoices: true })).toMatchObject({ state: "open", gaps: ["sending"] })
  })

  it("count a skipped step as done once it is done", () => {
    expect(stateOf("members", {}, ["members"])).toMatchObject({ state: "skipped", allowedActions: ["unskip"] })
    expect(stateOf("members", { hasMembers: true }, ["members"])).toMatchObject({ state: "done", allowedActions: [] })
  })

  it("keep other skipped steps when some are skipped or offered again", () => {
    expect(changeSkippedSteps(["members"], { steps: ["benefits"], isSkipped: true })).toEqual(["benefits", "members"])
    expect(changeSkippedSteps(["benefits", "members"], { steps: ["benefits"], isSkipped: false })).toEqual(["members"])
  })
})
