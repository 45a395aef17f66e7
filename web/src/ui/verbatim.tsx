import { Code } from "@mantine/core"
import classes from "./verbatim.module.css"

/**
 * For text read character by character: a key, a code, a link.
 *
 *     <Verbatim block>{secret}</Verbatim>
 */
export function Verbatim({ children, block = false }: { children: string; block?: boolean }) {
  return (
    <Code className={`${classes.letters} ${classes.verbatim}`} block={block}>
      {children}
    </Code>
  )
}
