import { unreadableFile } from "./unreadable.ts"

export const unreadablePicture = (): Error =>
  unreadableFile("The picture is damaged or incomplete. Save it again and choose the new file.")

/** Reads a stream in pieces of known length. Throws `Unreadable` where the stream ends too early. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]()
  }

  /** The bytes that are already here; at least one. */
  async peek(): Promise<Buffer> {
    while (this.#rest.length === 0) this.#rest = await this.#next()
    return this.#rest
  }

  async #next(): Promise<Buffer> {
    const { value, done } = await this.#chunks.next()
    if (done) throw unreadablePicture()
    return value
  }

  skip(length: number): void {
    this.#rest = this.#rest.subarray(length)
  }

  putBack(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([bytes, this.#rest])
  }

  /** Only for small lengths: the bytes are in memory at once. */
  async take(length: number): Promise<Buffer> {
    const parts = [this.#rest]
    for (let size = this.#rest.length; size < length; ) {
      const chunk = await this.#next()
      parts.push(chunk)
      size += chunk.length
    }
    const bytes = parts.length === 1 ? this.#rest : Buffer.concat(parts)
    this.#rest = bytes.subarray(length)
    return bytes.subarray(0, length)
  }

  async *pass(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      const bytes = (await this.peek()).subarray(0, left)
      this.skip(bytes.length)
      left -= bytes.length
      yield bytes
    }
  }

  async drop(length: number): Promise<void> {
    for await (const _bytes of this.pass(length));
  }
}
