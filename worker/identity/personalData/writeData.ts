import { HELD } from './held.ts'
import { type Person, readPart } from './readPart.ts'

/**
 * The file as JSON, piece by piece: whoever reads it slowly, or has a long history, takes no more memory for it. A file
 * that was cut short is no JSON and lacks `complete`.
 */
export async function* writeData(
  binding: D1Database,
  person: Person,
  head: Readonly<Record<string, unknown>>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)}`
  for (const part of HELD) {
    const isList = part.key.length > 0
    let text = `,\n"${part.name}":${isList ? '[' : ''}`
    let count = 0
    for await (const rows of readPart(binding, part, person)) {
      for (const row of rows) text += `${count++ > 0 ? ',' : ''}\n${JSON.stringify(row)}`
      yield text
      text = ''
    }
    yield `${text}${isList ? ']' : count === 0 ? 'null' : ''}`
  }
  yield ',\n"complete":true}\n'
}
