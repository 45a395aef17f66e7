import { createReadStream } from "node:fs"
import { Readable } from "node:stream"
import { ByteReader, unreadablePicture } from "./byte-reader.ts"
import type { FileStore, ReceivedFile } from "./files.ts"
import { jpegPixels } from "./jpeg-pixels.ts"
import { pngPixels } from "./png-pixels.ts"

const filters: Record<string, (reader: ByteReader) => AsyncGenerator<Buffer>> = {
  jpg: jpegPixels,
  jpeg: jpegPixels,
  png: pngPixels,
}

/** The picture without metadata: its pixels, colour profile and orientation. Throws `Unreadable` if it is damaged. */
export async function* withoutMetadata(extension: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const filter = filters[extension]
  if (!filter) throw unreadablePicture()
  yield* filter(new ByteReader(source))
}

/**
 * Replaces a received picture by one without metadata, and returns other files unchanged. The filter is deterministic,
 * so the same picture has the same stored hash each time.
 */
export async function receiveWithoutMetadata(
  files: FileStore,
  received: ReceivedFile,
  extension: string,
): Promise<ReceivedFile> {
  if (!filters[extension]) return received
  const source = createReadStream(received.path)
  try {
    const plain = await files.receive(Readable.from(withoutMetadata(extension, source)), Number.POSITIVE_INFINITY)
    await files.discard(received)
    return plain
  } finally {
    source.destroy()
  }
}
