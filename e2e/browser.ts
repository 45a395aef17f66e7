import AxeBuilder from "@axe-core/playwright"
import { type Browser, expect, type Locator, type Page } from "@playwright/test"

/** Of everybody in the journeys, until they change it. */
export const password = "Under-the-milkwood-26"

/** A person at a browser of their own. Whatever a page throws or complains of fails the journey. */
export async function openPage(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, reducedMotion: "reduce" })
  const page = await context.newPage()
  page.on("pageerror", (error) => {
    throw error
  })
  page.on("console", (message) => {
    // The browser itself reports every refused call; what the page makes of it is looked at on screen.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      throw new Error(`${page.url()}: ${message.text()}`)
    }
  })
  const calls = new Set<unknown>()
  // The news of what others change is a request that never ends.
  page.on("request", (request) => request.url().endsWith("/api/live") || calls.add(request))
  page.on("requestfinished", (request) => calls.delete(request))
  page.on("requestfailed", (request) => calls.delete(request))
  underWay.set(page, calls)
  // A journey that takes longer than ten minutes is asked who it is, wherever it stands.
  const proof = page.getByRole("dialog", { name: "Is it still you?" })
  await page.addLocatorHandler(proof, async () => {
    await proof.getByLabel("Password", { exact: true }).fill(password)
    await proof.getByRole("button", { name: "Go on" }).click()
  })
  return page
}

const underWay = new WeakMap<Page, Set<unknown>>()

/** Waits until the page is there, asks for nothing any more, and has drawn what it was told. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("main")).toBeVisible()
  const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  const busy = page.locator('[aria-busy="true"]')
  // A dialog is told its title's id when the title is drawn, one drawing later.
  const unnamed = page.locator('[role="dialog"]:not([aria-labelledby]):not([aria-label])')
  await expect
    .poll(async () => {
      await drawn()
      return (underWay.get(page)?.size ?? 0) + (await busy.count()) + (await unnamed.count())
    })
    .toBe(0)
  await drawn()
}

/** Passes axe: every rule, or only the one that the colour scheme changes. */
export async function accessible(page: Page, rules?: "colours"): Promise<void> {
  await settled(page)
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (rules ? axe.withRules(["color-contrast"]) : axe).analyze()
  const words = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)
  expect(words, `axe at ${page.url()}`).toEqual([])
}

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

interface View {
  size: typeof desk
  colours: "light" | "dark"
  rules?: "colours"
}

/** A change of colours alone needs only the rule about colours. */
const every: View[] = [
  { size: desk, colours: "light" },
  { size: desk, colours: "dark", rules: "colours" },
  { size: phone, colours: "light" },
  { size: phone, colours: "dark", rules: "colours" },
]
const opposite: View[] = [
  { size: desk, colours: "light" },
  { size: phone, colours: "dark", rules: "colours" },
]

/** The page as it stands, light and dark, on a desk and on a phone: accessible, and never wider than the screen. */
export const everyView = (page: Page): Promise<void> => look(page, every)

/** The same for states that look alike on every page: light on a desk, dark on a phone. */
export const twoViews = (page: Page): Promise<void> => look(page, opposite)

/** One of these for each page of many that say the same: every other on a phone. */
export const oneView = (page: Page, nth: number): Promise<void> => look(page, [opposite[nth % opposite.length]!])

async function look(page: Page, views: View[]): Promise<void> {
  await settled(page)
  for (const { size, colours, rules } of views) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: colours })
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colours)
    await settled(page)
    const wide = await page.evaluate(() => document.scrollingElement!.scrollWidth)
    expect(wide, `${page.url()} scrolls sideways`).toBeLessThanOrEqual(size.width)
    await accessible(page, rules)
  }
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize(desk)
}

/** On a phone these parts of the page stand below each other in this order. */
export async function inOrderOnPhone(page: Page, ...parts: Locator[]): Promise<void> {
  await page.setViewportSize(phone)
  const tops = await Promise.all(parts.map(async (part) => (await part.first().boundingBox())!.y))
  expect(tops).toEqual(tops.toSorted((one, other) => one - other))
  await page.setViewportSize(desk)
}

/** Finds an option by what is typed, and takes it. */
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

/** The step ahead, once the one before stands: what is still coming moves the button, and a press on it is no click then. */
export async function next(page: Page): Promise<void> {
  await settled(page)
  await page.getByRole("button", { name: "Next" }).click()
}
export const dialog = (page: Page) => page.getByRole("dialog")

/** A real one-page PDF, printed by the browser from an empty page. */
export async function onePagePdf(page: Page): Promise<Buffer> {
  const printer = await page.context().newPage()
  await printer.setContent("<h1>Medical report</h1>")
  const bytes = await printer.pdf()
  await printer.close()
  return bytes
}

/** A number as the product shows it: 1 234. */
export const whole = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, "\u00a0")

/** An amount as the product shows it: R 1 234,50. */
export const rand = (cents: number): string =>
  `R\u00a0${whole(Math.trunc(cents / 100))},${String(cents % 100).padStart(2, "0")}`
