export class Unreadable extends Error {
  override readonly name = "Unreadable"
}

export function unreadable(sentence: string): Unreadable {
  return new Unreadable(sentence)
}
