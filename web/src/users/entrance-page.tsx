import type { ReactNode } from "react"
import classes from "./entrance-page.module.css"

interface EntrancePageProps {
  title: string
  words?: ReactNode
  /** For forms with two columns. */
  wide?: boolean
  children?: ReactNode
}

/** The frame of every page before sign-in. */
export function EntrancePage({ title, words, wide, children }: EntrancePageProps) {
  return (
    <div className={classes.page}>
      <header className={classes.side}>
        <div className={classes.brand}>
          <img src="/milkwood.svg" width={28} height={28} alt="" />
          <span className={classes.name}>Milkwood</span>
        </div>
        <p className={classes.tagline}>Group policy management system</p>
        <MilkwoodTree />
      </header>
      <main className={classes.main}>
        <div className={classes.card} data-wide={wide || undefined}>
          <h1 className={classes.title}>{title}</h1>
          {words && <div className={classes.words}>{words}</div>}
          {children}
        </div>
      </main>
    </div>
  )
}

/** Decoration: a milkwood tree. */
function MilkwoodTree() {
  return (
    <svg className={classes.tree} viewBox="0 0 480 360" aria-hidden="true" preserveAspectRatio="xMidYMax slice">
      <path className={classes.ground} d="M0 318c80-18 150-22 240-18s170 8 240-4v64H0z" />
      <g className={classes.stems}>
        <path d="M236 312c-4-44-28-66-58-92" />
        <path d="M240 312c0-54 2-84 6-124" />
        <path d="M246 312c6-46 34-70 66-96" />
        <path d="M212 262c-20-4-46-16-66-34" />
        <path d="M270 266c24-6 52-18 78-42" />
      </g>
      <g className={classes.back}>
        <ellipse cx="120" cy="206" rx="78" ry="50" />
        <ellipse cx="362" cy="200" rx="80" ry="52" />
        <ellipse cx="242" cy="150" rx="112" ry="72" />
      </g>
      <g className={classes.front}>
        <ellipse cx="178" cy="184" rx="74" ry="50" />
        <ellipse cx="310" cy="180" rx="76" ry="50" />
        <ellipse cx="244" cy="196" rx="62" ry="40" />
      </g>
      <g className={classes.light}>
        <ellipse cx="206" cy="122" rx="46" ry="26" />
        <ellipse cx="326" cy="158" rx="36" ry="20" />
        <ellipse cx="146" cy="172" rx="34" ry="18" />
      </g>
    </svg>
  )
}
