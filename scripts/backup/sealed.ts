import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ReadableStream as NodeStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'

/** A directory of files, encrypted to age recipients (see `buildRecipients`). Without recipients the files are plain. */
export interface Folder {
  write(
    name: string,
    content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  ): Promise<void>
  /** The bytes of a file; throws if it is missing, or was tampered with while encrypted. */
  read(name: string): AsyncIterable<Uint8Array>
}

const SUFFIX = '.age'

export function openFolder(
  directory: string,
  keys: { recipients?: readonly string[]; identities?: readonly string[] } = {},
): Folder {
  const { recipients = [], identities = [] } = keys
  return {
    async write(name, content) {
      const plain = NodeStream.from(encodeContent(content))
      const path = `${directory}/${name}`
      if (recipients.length === 0) return writeNew(path, plain)
      const encrypter = new Encrypter()
      for (const recipient of recipients) encrypter.addRecipient(recipient)
      // Web and Node streams are the same objects with different types.
      const sealed = await encrypter.encrypt(plain as unknown as ReadableStream<Uint8Array>)
      await writeNew(path + SUFFIX, sealed as unknown as NodeStream)
    },
    async *read(name) {
      const path = `${directory}/${name}`
      if (existsSync(path)) {
        yield* createReadStream(path)
        return
      }
      if (!existsSync(path + SUFFIX)) throw new Error(`${name} is missing.`)
      if (identities.length === 0)
        throw new Error('The backup is encrypted: give the file of a key that opens it with --identity.')
      const decrypter = new Decrypter()
      for (const identity of identities) decrypter.addIdentity(identity)
      const sealed = Readable.toWeb(createReadStream(path + SUFFIX)) as unknown as ReadableStream<Uint8Array>
      yield* (await decrypter.decrypt(sealed)) as unknown as NodeStream<Uint8Array>
    },
  }
}

export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}

export async function collectBytes(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}

async function writeNew(path: string, stream: NodeStream): Promise<void> {
  await pipeline(Readable.fromWeb(stream), createWriteStream(path, { mode: 0o600, flags: 'wx' }))
}

/** Joins lines into larger chunks, because each chunk is one write. */
async function* encodeContent(
  content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let text = ''
  for await (const piece of content) {
    if (typeof piece !== 'string') {
      yield piece
      continue
    }
    text += piece
    if (text.length > 65_536) {
      yield Buffer.from(text)
      text = ''
    }
  }
  if (text !== '') yield Buffer.from(text)
}
