export class UnreadableFile extends Error {
  override readonly name = "Unreadable"
}

export function unreadableFile(sentence: string): UnreadableFile {
  return new UnreadableFile(sentence)
}
