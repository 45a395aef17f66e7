import { expect, test } from "vitest"
import { Crowds } from "./crowds.ts"

test("one look tells all but the first that they are too late, and nobody's work overlaps another's", async () => {
  const crowds = new Crowds()
  const claim = { decided: false, looks: 0, working: 0 }
  const decide = (name: string) =>
    crowds.meet("claim", {
      look: async () => {
        claim.looks += 1
        return claim.decided
      },
      check: (decided) => {
        if (decided) throw new Error("too late")
      },
      work: async () => {
        claim.working += 1
        expect(claim.working).toBe(1)
        await new Promise(setImmediate)
        claim.decided = true
        claim.working -= 1
        return name
      },
    })
  const answers = await Promise.allSettled(Array.from({ length: 50 }, (_, nth) => decide(`${nth}`)))
  expect(answers.filter(({ status }) => status === "fulfilled")).toEqual([{ status: "fulfilled", value: "0" }])
  expect(claim.looks).toBeLessThanOrEqual(3)
})

test("work that fails, or a look that does, is no end for those who come after", async () => {
  const crowds = new Crowds()
  const ask = (look: () => Promise<void>, work: () => Promise<string>) =>
    crowds.meet("claim", { look, check: () => {}, work }).catch((error: Error) => error.message)
  const fine = async () => {}
  const broken = () => Promise.reject(new Error("broken"))
  const answers = [ask(fine, broken), ask(fine, async () => "done"), ask(fine, async () => "done, too")]
  expect(await Promise.all(answers)).toEqual(["broken", "done", "done, too"])
  expect(await ask(broken, async () => "never")).toBe("broken")
  expect(await ask(fine, async () => "done")).toBe("done")
})
