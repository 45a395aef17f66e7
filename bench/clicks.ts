import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { type CDPSession, chromium, type Page } from "@playwright/test"
import { browser } from "../scripts/browser.mjs"
import { buildScreens } from "../scripts/screens.mjs"
import { openBook, readers } from "./book.ts"
import { type Bench, type Measured, median, requireTrue } from "./measure.ts"
import { signIn, startServer } from "./server.ts"

/** CPU throttling, to simulate a slow office machine. */
const slowdown = 4
const clickLimitMs = 100

interface Click {
  name: string
  on: (page: Page) => ReturnType<Page["locator"]>
  leads: boolean
}

const clicks: Click[] = [
  { name: "tab", on: (page) => page.locator("nav[aria-label^='Views'] a").last(), leads: true },
  { name: "sort", on: (page) => page.getByRole("button", { name: "Number", exact: true }), leads: true },
  { name: "next page", on: (page) => page.getByRole("button", { name: "Next page" }), leads: true },
  { name: "select a row", on: (page) => page.locator("tbody tr:nth-child(3) input[type=checkbox]"), leads: false },
]

interface ClickMeasurement {
  paint: number
  rows: number
  script: number
}

/**
 * Clicks in the members' list with CPU throttled to a quarter: time to the first paint and to the new rows. `--small`
 * uses a tenth of the book, `--rounds=10` sets the number of clicks.
 */
export const clicksInLists: Bench = {
  name: "clicks",
  async run(say, flags) {
    requireTrue(buildScreens(), "the screens are built")
    const book = await openBook(say, flags.has("small") ? "small" : "large", { anew: flags.has("anew") })
    const server = await startServer(book, "screens")
    const chrome = await chromium.launch({
      ...(await browser()),
      args: ["--no-sandbox", "--no-zygote", "--disable-gpu"],
    })
    try {
      const { cookie } = await signIn(server.url, readers.manager)
      const context = await chrome.newContext({ viewport: { width: 1440, height: 900 }, baseURL: server.url })
      await context.addCookies(
        cookie.split("; ").map((each) => {
          const [name, ...value] = each.split("=")
          return { name: name!, value: value.join("="), url: server.url }
        }),
      )
      const page = await context.newPage()
      const cdp = await context.newCDPSession(page)
      await cdp.send("Performance.enable")
      const trace = flags.get("trace")
      const measured: Measured[] = []
      for (const click of clicks) {
        const taken: ClickMeasurement[] = []
        for (let round = 0; round <= Number(flags.get("rounds") ?? 8); round++) {
          const traced = trace && round === 2 ? join(trace, `${click.name.replaceAll(" ", "-")}.json`) : undefined
          const one = await measureClick(page, cdp, click, () =>
            traced ? startTracing(chrome, page, traced) : undefined,
          )
          if (round > 0) taken.push(one)
        }
        const middle = (of: keyof ClickMeasurement) => median(taken.map((each) => each[of]))
        say(
          `${click.name}: ${taken.map(({ paint, rows, script }) => `${paint}/${Math.round(rows)}/${Math.round(script)}`).join(" ")}`,
        )
        measured.push({
          what: `${click.name}: time to the next paint`,
          ours: middle("paint"),
          reference: clickLimitMs,
          unit: "ms",
          against: "the limit",
          atMost: 1,
          also: [
            { what: "time until the new rows are shown", value: middle("rows"), unit: "ms" },
            { what: "script time of the page", value: middle("script"), unit: "ms" },
          ],
        })
      }
      return measured
    } finally {
      await chrome.close()
      await server.stop()
      await book.close()
    }
  },
}

type Chrome = Awaited<ReturnType<typeof chromium.launch>>

async function startTracing(chrome: Chrome, page: Page, path: string): Promise<() => Promise<unknown>> {
  const categories = ["devtools.timeline", "disabled-by-default-v8.cpu_profiler", "blink.user_timing", "v8.execute"]
  await chrome.startTracing(page, { path, categories })
  return () => chrome.stopTracing()
}

async function measureClick(
  page: Page,
  cdp: CDPSession,
  { on, leads }: Click,
  traced: () => Promise<() => Promise<unknown>> | undefined,
): Promise<ClickMeasurement> {
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 })
  await page.goto("/members")
  await page.locator("tbody tr").first().waitFor()
  await pause(800)
  const button = on(page)
  const box = (await button.boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown })
  await pause(600)
  await page.evaluate(clickWatcherScript)
  const stop = await traced()
  const scripted = await readScriptMs(cdp)
  await page.mouse.down()
  await pause(40)
  await page.mouse.up()
  await pause(leads ? 2_500 : 1_200)
  const script = (await readScriptMs(cdp)) - scripted
  await stop?.()
  const { paint, rows } = await page.evaluate<Omit<ClickMeasurement, "script">>("window.seen()")
  requireTrue(paint > 0, "the browser says when it painted")
  return { paint, rows: leads ? rows : paint, script }
}

const readScriptMs = async (cdp: CDPSession): Promise<number> => {
  const { metrics } = await cdp.send("Performance.getMetrics")
  return metrics.find(({ name }) => name === "ScriptDuration")!.value * 1_000
}

const clickWatcherScript = `
  const events = []
  new PerformanceObserver((list) => events.push(...list.getEntries())).observe({ type: "event", durationThreshold: 16 })
  const first = () => document.querySelector("tbody tr")?.getAttribute("data-row")
  const before = first()
  let pressed = 0
  let rowsAt = 0
  addEventListener("pointerup", (event) => { pressed = event.timeStamp })
  const look = () => {
    if (first() === before) requestAnimationFrame(look)
    else rowsAt = performance.now()
  }
  requestAnimationFrame(look)
  window.seen = () => ({
    paint: Math.max(0, ...events.filter(({ name }) => /^(pointer|mouse)(down|up)$|^click$/.test(name)).map(({ duration }) => duration)),
    rows: rowsAt - pressed,
  })
`
