/** An uploaded file that cannot be read; the message is the sentence for the person who sent it. */
export class Unreadable extends Error {
  override readonly name = "Unreadable"
}

export function unreadable(sentence: string): Unreadable {
  return new Unreadable(sentence)
}
