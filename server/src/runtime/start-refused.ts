/** One sentence for the terminal, shown without a stack. */
export class StartRefused extends Error {
  override name = "StartRefused"
}
