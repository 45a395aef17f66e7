import { Button, Group, Table } from "@mantine/core"
import { type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import { Link, type LinkProps } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from "react"
import classes from "./chart.module.css"
import { useDisplay } from "./display.tsx"

/** Values are cents, counts, or days (one decimal). */
export interface ChartSeries {
  key: string
  label: string
  kind: "money" | "count"
  /** Defaults to the colour of its position. Use a status tone only for that status. */
  tone?: ChartTone
}
export type ChartTone = "teal" | "grey" | "violet" | "amber" | "green" | "red" | AgeTone
export const ageTones = ["age1", "age2", "age3", "age4", "age5"] as const
type AgeTone = (typeof ageTones)[number]

export interface ChartPoint {
  label: string
  values: Record<string, number | null | undefined>
  tone?: ChartTone
  link?: LinkProps
}

/** The axis includes zero, even if every figure is negative. */
export function barDomainOf({ points, series }: Pick<ChartProps, "points" | "series">): ["auto" | 0, "auto" | 0] {
  const figures = points.flatMap(({ values }) => series.map(({ key }) => values[key] ?? 0))
  return [figures.some((figure) => figure < 0) ? "auto" : 0, figures.some((figure) => figure > 0) ? "auto" : 0]
}

export const isEmptyChart = ({ points, series }: Pick<ChartProps, "points" | "series">): boolean =>
  points.every(({ values }) => series.every(({ key }) => !values[key]))

export interface ChartProps {
  title: string
  /** The header of the table's first column: "Month". */
  by: string
  points: readonly ChartPoint[]
  series: readonly ChartSeries[]
  /** `lying` = horizontal bars, for long names. */
  as: "bars" | "stack" | "lying" | "lines"
  /** Additional columns of the table. */
  more?: readonly ChartSeries[]
  link?: LinkProps & { words: string }
  note?: ReactNode
}

const Drawing = lazy(() => import("./chart-drawing.tsx"))

const defaultTones: readonly ChartTone[] = ["teal", "grey", "violet", "amber", "green", "red"]
export const seriesToneOf = ({ tone }: ChartSeries, place: number): ChartTone =>
  tone ?? defaultTones[place % defaultTones.length]!

/**
 * A chart with an accessible table of the same figures. The drawing loads when it scrolls into view. Renders nothing
 * without figures.
 *
 *     <Chart title="Billed and collected" by="Month" as="bars" points={points}
 *       series={[{ key: "billed", label: "Billed", kind: "money" }, { key: "collected", label: "Collected", kind: "money" }]}
 *       link={{ to: "/invoices", words: "Open invoices" }} />
 */
export function Chart({ title, by, points, series, as, more = [], link, note }: ChartProps) {
  const [isTable, setTable] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const isSeen = useInView(place)
  const id = useId()
  const { words, ...target } = link ?? { words: "" }
  const height = as === "lying" ? points.length * (series.length * 14 + 12) + 40 : 220
  if (isEmptyChart({ points, series })) return null
  return (
    <figure className={classes.chart} aria-labelledby={`${id}title`}>
      <figcaption className={classes.caption}>
        <span>
          <strong id={`${id}title`} className={classes.title}>
            {title}
          </strong>
          {note && <span className={classes.note}>{note}</span>}
        </span>
        <Group gap={4} wrap="nowrap">
          {link && (
            <Link {...(target as LinkProps)} className={classes.link}>
              {words}
            </Link>
          )}
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={isTable}
            aria-label={`${isTable ? "Hide" : "Show"} figures of ${title}`}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? "Hide figures" : "Show figures"}
          </Button>
        </Group>
      </figcaption>
      <div ref={place} className={classes.picture} style={{ height }}>
        {isSeen && (
          <Suspense>
            <div
              role="img"
              aria-label={`${series.map(({ label }) => label).join(", ")} by ${by.toLowerCase()}, ${points.length} values. Choose “Show figures” to see them as a table.`}
            >
              <Drawing points={points} series={series} as={as} height={height} />
            </div>
          </Suspense>
        )}
      </div>
      {isTable && <Figures title={title} by={by} points={points} columns={[...series, ...more]} />}
    </figure>
  )
}

function Figures({
  title,
  by,
  points,
  columns,
}: Pick<ChartProps, "title" | "by" | "points"> & { columns: ChartSeries[] }) {
  const { currency } = useDisplay()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: Scrollable content must be reachable by keyboard.
    <section className={classes.figures} aria-label={`Figures of ${title}`} tabIndex={0}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{by}</Table.Th>
            {columns.map(({ key, label }) => (
              <Table.Th key={key} scope="col" ta="right">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {points.map(({ label, values, link }) => (
            <Table.Tr key={label}>
              <Table.Th scope="row">
                {link ? (
                  <Link {...link} className={classes.link}>
                    {label}
                  </Link>
                ) : (
                  label
                )}
              </Table.Th>
              {columns.map(({ key, kind }) => (
                <Table.Td key={key} ta="right" className="tabular amount">
                  {figureText(kind, values[key], currency)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

export function figureText(kind: ChartSeries["kind"], value: number | null | undefined, currency: Currency): string {
  if (value === null || value === undefined) return "–"
  return kind === "money" ? formatMoney(Math.round(value), currency) : value.toLocaleString("en-ZA")
}

function useInView(place: React.RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) {
          setSeen(true)
          observer.disconnect()
        }
      },
      { rootMargin: "200px" },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [place])
  return isSeen
}
