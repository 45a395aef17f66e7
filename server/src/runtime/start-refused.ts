/** One sentence for the terminal, shown without a stack. */
export class StartRefusedError extends Error {
  override name = "StartRefused"
}
