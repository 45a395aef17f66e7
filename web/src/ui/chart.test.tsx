import { MantineProvider } from "@mantine/core"
import { render, screen, within } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import { expect, it } from "vitest"
import { barDomainOf, Chart, figureText, seriesToneOf } from "./chart.tsx"

const series = [
  { key: "billed", label: "Billed", kind: "money" as const },
  { key: "days", label: "Days", kind: "count" as const },
]

it("a chart has a table of its formatted figures", async () => {
  const points = [
    { label: "Oct 2026", values: { billed: 1_234_50, days: 2.5 } },
    { label: "Nov 2026", values: { billed: 0, days: null } },
  ]
  render(<Chart title="Billed" by="Month" points={points} series={series} as="bars" />, { wrapper: MantineProvider })
  expect(screen.getByRole("figure", { name: "Billed" })).toBeTruthy()
  expect(screen.queryByRole("table")).toBeNull()
  const button = screen.getByRole("button", { name: "Show figures of Billed" })
  expect(button.getAttribute("aria-expanded")).toBe("false")
  await userEvent.tab()
  await userEvent.keyboard("{Enter}")
  const rows = within(screen.getByRole("table")).getAllByRole("row")
  expect(rows.map((row) => row.textContent)).toEqual([
    "MonthBilledDays",
    "Oct 2026R\u00a01\u00a0234,502,5",
    "Nov 2026R\u00a00,00–",
  ])
  expect(screen.getByRole("region", { name: "Figures of Billed" }).tabIndex).toBe(0)
  await userEvent.click(screen.getByRole("button", { name: "Hide figures of Billed" }))
  expect(screen.queryByRole("table")).toBeNull()
})

it("does not show a chart whose figures are all zero", () => {
  const points = [{ label: "Nov 2026", values: { billed: 0, days: null } }]
  render(<Chart title="Billed" by="Month" points={points} series={series} as="lines" />, { wrapper: MantineProvider })
  expect(screen.queryByRole("figure")).toBeNull()
})

it("the axis of bars includes zero, even when every figure is negative", () => {
  const domainOf = (...figures: number[]) =>
    barDomainOf({ points: figures.map((days) => ({ label: String(days), values: { days } })), series })
  expect(domainOf(3, 1)).toEqual([0, "auto"])
  expect(domainOf(-2, -1)).toEqual(["auto", 0])
  expect(domainOf(-2, 5)).toEqual(["auto", "auto"])
})

it("a series has its requested colour, or the default of its position", () => {
  expect(series.map(seriesToneOf)).toEqual(["teal", "grey"])
  expect(seriesToneOf({ ...series[0]!, tone: "red" }, 3)).toBe("red")
  expect(figureText("money", undefined, "ZAR")).toBe("–")
})
