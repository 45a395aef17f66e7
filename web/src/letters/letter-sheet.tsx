import type { Day } from "@milkwood/domain/kernel/calendar"
import type { LetterWording } from "@milkwood/domain/letters/letter"
import { DayText } from "../ui/day.tsx"
import classes from "./letters.module.css"

/**
 * The wording of a letter as it will be printed.
 *
 *     <LetterSheet label="Preview" wording={preview.wording} on={preview.on} />
 */
export function LetterSheet({ label, wording, on }: { label: string; wording: LetterWording; on?: Day }) {
  return (
    <section className={classes.sheet} aria-label={label}>
      {wording.addressee.length > 0 && <p className={classes.text}>{wording.addressee.join("\n")}</p>}
      <p className={classes.facts}>
        {on && <DayText day={on} />}
        <span>{wording.reference}</span>
      </p>
      <h3 className={classes.title}>{wording.title}</h3>
      {wording.blocks.map((block, at) => {
        // Blocks have no identity besides their place.
        const key = `block ${at}`
        if ("text" in block)
          return (
            <p key={key} className={classes.text}>
              {block.text}
            </p>
          )
        return (
          <table key={key} className={classes.rows}>
            <tbody>
              {block.rows.map((row, line) => {
                const rowKey = `row ${line}`
                return (
                  <tr key={rowKey} data-total={row.isTotal || undefined}>
                    <th scope="row">{row.label}</th>
                    <td>{row.value}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        )
      })}
    </section>
  )
}
