import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Locator,
  type Page,
} from "@playwright/test"
import type axe from "axe-core"

export const password = "Under-the-milkwood-26"

/** Opens a separate browser context. Any page error or console error fails the journey. */
export const openPage = async (browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<Page> =>
  openTab(await browser.newContext({ baseURL, reducedMotion: "reduce", ...options }))

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  page.on("pageerror", (error) => {
    throw error
  })
  page.on("console", (message) => {
    // The browser itself logs every refused call; journeys check how the page reacts instead.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      throw new Error(`${page.url()}: ${message.text()}`)
    }
  })
  const calls = new Set<unknown>()
  // The live event stream is a request that never ends.
  page.on("request", (request) => request.url().endsWith("/api/live") || calls.add(request))
  page.on("requestfinished", (request) => calls.delete(request))
  page.on("requestfailed", (request) => calls.delete(request))
  pendingRequests.set(page, calls)
  // After ten minutes the product asks for the password again, on any page.
  const proof = page.getByRole("dialog", { name: "Confirm it is you" })
  await page.addLocatorHandler(proof, async () => {
    await proof.getByLabel("Password", { exact: true }).fill(password)
    await proof.getByRole("button", { name: "Continue" }).click()
  })
  return page
}

/** Works the list off in two tabs of the same user, since a page mostly waits for one of the two processors. */
export async function inTwoTabs<Item>(
  page: Page,
  items: readonly Item[],
  visit: (page: Page, item: Item, nth: number) => Promise<void>,
): Promise<void> {
  const other = await openTab(page.context())
  const waiting = [...items.entries()]
  const workOff = async (tab: Page) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await visit(tab, next[1], next[0])
  }
  await Promise.all([workOff(page), workOff(other)])
  await other.close()
}

const pendingRequests = new WeakMap<Page, Set<unknown>>()

/** Waits until the page is rendered and no request is pending. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await expect(page.getByRole("main")).toBeVisible()
  const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  const busy = page.locator('[aria-busy="true"]')
  // A dialog gets its title's id one render later.
  const unnamed = page.locator('[role="dialog"]:not([aria-labelledby]):not([aria-label])')
  await expect
    .poll(
      async () => {
        await drawn()
        return (pendingRequests.get(page)?.size ?? 0) + (await busy.count()) + (await unnamed.count())
      },
      { intervals: [50] },
    )
    .toBe(0)
  await drawn()
}

const axeScript = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")

/**
 * Runs axe: all rules, or only colour contrast. axe is put into each document once, and lists violations alone: both
 * take longer than the check itself.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await waitUntilSettled(page)
  await runAxe(page)
}

async function runAxe(page: Page, rules?: "colours"): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeScript)
  const violations = await page.evaluate(
    async (options) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe
      const found = await run(document, { ...options, resultTypes: ["violations"] })
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)
    },
    rules ? { runOnly: ["color-contrast"] } : {},
  )
  expect(violations, `axe at ${page.url()}`).toEqual([])
}

const desk = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

interface View {
  size: typeof desk
  colours: "light" | "dark"
  rules?: "colours"
}

/** A second colour scheme needs only the contrast rule. */
const allViews: View[] = [
  { size: desk, colours: "light" },
  { size: desk, colours: "dark", rules: "colours" },
  { size: phone, colours: "light" },
  { size: phone, colours: "dark", rules: "colours" },
]
const oppositeViews: View[] = [
  { size: desk, colours: "light" },
  { size: phone, colours: "dark", rules: "colours" },
]

/** Checks the page in light and dark, on desktop and phone: accessible, and never wider than the screen. */
export const checkEveryView = (page: Page): Promise<void> => checkViews(page, allViews)

export const checkTwoViews = (page: Page): Promise<void> => checkViews(page, oppositeViews)

export const checkOneView = (page: Page, nth: number): Promise<void> =>
  checkViews(page, [oppositeViews[nth % oppositeViews.length]!])

async function checkViews(page: Page, views: View[]): Promise<void> {
  for (const { size, colours, rules } of views) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: colours })
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colours)
    await waitUntilSettled(page)
    const wide = await page.evaluate(() => document.scrollingElement!.scrollWidth)
    expect(wide, `${page.url()} scrolls sideways`).toBeLessThanOrEqual(size.width)
    await runAxe(page, rules)
  }
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize(desk)
}

export async function expectOrderOnPhone(page: Page, ...parts: Locator[]): Promise<void> {
  await page.setViewportSize(phone)
  const tops = await Promise.all(parts.map(async (part) => (await part.first().boundingBox())!.y))
  expect(tops).toEqual(tops.toSorted((one, other) => one - other))
  await page.setViewportSize(desk)
}

export async function choose(
  page: Page,
  label: string | RegExp,
  typed: string,
  option: string | RegExp,
): Promise<void> {
  const field = page
    .getByRole("combobox", { name: label })
    .or(page.getByRole("textbox", { name: label }))
    .first()
  await field.click()
  if (typed) await field.fill(typed)
  await page.getByRole("option", { name: option }).first().click()
}

/** Waits until the step is rendered: content that loads late moves the button, and the click would miss it. */
export async function clickNext(page: Page): Promise<void> {
  await waitUntilSettled(page)
  await page.getByRole("button", { name: "Next" }).click()
}
export const dialogOf = (page: Page) => page.getByRole("dialog")

export async function createOnePagePdf(page: Page): Promise<Buffer> {
  const printer = await page.context().newPage()
  await printer.setContent("<h1>Medical report</h1>")
  const bytes = await printer.pdf()
  await printer.close()
  return bytes
}

export const groupThousands = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, "\u00a0")

export const formatRand = (cents: number): string =>
  `R\u00a0${groupThousands(Math.trunc(cents / 100))},${String(cents % 100).padStart(2, "0")}`
