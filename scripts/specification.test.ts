import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const readText = (path: string) => readFileSync(path, "utf8")
const specificationLines = readText("docs/specification.md").split("\n")
const stripMarkup = (words: string) => words.replace(/[\\`]/g, "")

/** `web/users/users` is web/src/users/users.test.tsx; a journey is cited by its file name in e2e. */
function readCitedSource(named: string | undefined, journey: string | undefined): string | undefined {
  const [room, ...path] = named?.split("/") ?? []
  const paths = named
    ? ["ts", "tsx"].map((kind) => `${room}/src/${path.join("/")}.test.${kind}`)
    : [`e2e/${journey}.journey.ts`]
  const found = paths.find((each) => existsSync(each))
  return found && stripMarkup(readText(found))
}

const citationPattern =
  /(?:`((?:domain|server|web)\/[\w/$-]+)`|journey ([\w-]+),(?: steps?)?)((?:,? ?(?:and )?"[^"]*")*)/g

test("every test and journey cited in the specification page exists", () => {
  const missing: string[] = []
  let named = 0
  for (const line of specificationLines) {
    for (const [, file, journey, titles = ""] of line.matchAll(citationPattern)) {
      const source = readCitedSource(file, journey)
      if (source === undefined) missing.push(`${file ?? journey}`)
      for (const [, title = ""] of titles.matchAll(/"([^"]*)"/g)) {
        named += 1
        // A cited title may be shortened: "says so, …".
        const words = stripMarkup(title).replace(/,? ?…$/, "")
        if (source && !source.includes(words)) missing.push(`${file ?? journey}: ${title}`)
      }
    }
  }
  expect(missing).toEqual([])
  expect(named).toBeGreaterThan(300)
})

test("every file cited in the specification page exists", () => {
  const files = specificationLines
    .flatMap((line) => line.match(/`[\w-]+\/src\/[^`*]+\.\w+`/g) ?? [])
    .map((file) => file.slice(1, -1))
  expect(files.filter((file) => !existsSync(file))).toEqual([])
})
