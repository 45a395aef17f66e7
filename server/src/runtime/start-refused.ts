/** Why Milkwood cannot start (or stop) as asked: one sentence for the person at the terminal, shown without a stack. */
export class StartRefused extends Error {
  override name = "StartRefused"
}
