import { SaxesParser } from "saxes"
import { unreadableFile } from "./unreadable.ts"

export interface Element {
  name: string
  currency: string | null
  text: string
  children: Element[]
}

const maxXmlDepth = 40

/** Element names lose their prefixes. Refuses DOCTYPE, and so entity definitions. Throws `Unreadable`. */
export function parseXml(text: string): Element {
  const top: Element = { name: "", currency: null, text: "", children: [] }
  const open = [top]
  const parser = new SaxesParser()
  parser.on("doctype", () => {
    throw unreadableFile("The file contains a DOCTYPE, which bank files never have, so it was not read.")
  })
  parser.on("opentag", ({ name, attributes }) => {
    if (open.length > maxXmlDepth)
      throw unreadableFile("The file is nested deeper than any bank file, so it was not read.")
    const currency = attributes.Ccy ?? null
    const element = { name: name.split(":").at(-1)!, currency, text: "", children: [] }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on("text", (part) => {
    open.at(-1)!.text += part
  })
  parser.on("closetag", () => {
    open.pop()
  })
  parser.on("error", () => {
    throw unreadableFile("The file is damaged or incomplete: its XML is invalid. Download it again.")
  })
  parser.write(text).close()
  return top
}

export const all = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((child) => child.name === name) ?? []

export const elementAt = (element: Element | undefined, path: string): Element | undefined =>
  path.split("/").reduce<Element | undefined>((found, name) => all(found, name)[0], element)

export const textAt = (element: Element | undefined, path: string): string =>
  elementAt(element, path)?.text.trim() ?? ""
