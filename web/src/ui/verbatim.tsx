import { Code } from "@mantine/core"
import classes from "./verbatim.module.css"

/**
 * What is read or typed off the screen letter by letter: a key, a code, a link, a message as it is sent.
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
