import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '../../test/random.ts'
import { readParts } from './form.ts'

const TYPE = 'multipart/form-data; boundary=line'
const encode = (text: string) => new TextEncoder().encode(text)
const read = (body: string, maxParts = 10) =>
  readParts(TYPE, encode(body.replaceAll('\n', '\r\n')), maxParts)?.map(({ name, bytes, file }) => [
    name,
    new TextDecoder().decode(bytes),
    file && `${file.name} ${file.type}`,
  ]) ?? null
const part = (headers: string, content = 'x') =>
  `--line\nContent-Disposition: form-data${headers}\n\n${content}\n--line--`

test('a form of the runtime is read as the runtime reads it', async () => {
  const content = fc.uint8Array({ maxLength: 60 }).map((bytes) => {
    // Line breaks and dashes, as in delimiters.
    return bytes.map((byte) => (byte < 60 ? 13 : byte < 120 ? 10 : byte < 180 ? 45 : byte))
  })
  const field = fc.record({ name: fc.stringMatching(/^[a-z";= é\\]{1,9}$/), content })
  await fc.assert(
    fc.asyncProperty(fc.array(field, { maxLength: 6 }), async (fields) => {
      const form = new FormData()
      for (const { name, content } of fields)
        form.append(name, new Blob([content], { type: 'Image/PNG' }), `${name}.png`)
      const response = new Response(form)
      const parts = readParts(
        response.headers.get('Content-Type') ?? '',
        new Uint8Array(await response.arrayBuffer()),
        10,
      )
      expect(parts).toEqual(
        fields.map(({ name, content }) => ({
          name: name.replaceAll('"', '%22'),
          bytes: new Uint8Array(content),
          file: { name: `${name.replaceAll('"', '%22')}.png`, type: 'image/png' },
        })),
      )
    }),
    randomRuns(200),
  )
})

test('a file is a view of the body', () => {
  const body = encode(part('; name="a"; filename="b"').replaceAll('\n', '\r\n'))
  expect(readParts(TYPE, body, 1)?.[0]?.bytes.buffer).toBe(body.buffer)
})

test.each<[string, string, unknown]>([
  ['a field', part('; name="a"'), [['a', 'x', null]]],
  ['a name without quotes', part('; name=a'), [['a', 'x', null]]],
  ['an empty field', part('; name="a"', ''), [['a', '', null]]],
  ['headers in other letters', part('; NAME="a"').replace('Content-D', 'cONTENT-d'), [['a', 'x', null]]],
  ['a name within a file name', part('; filename="; name=b"; name="a"'), [['a', 'x', '; name=b ']]],
  ['a file name of RFC 5987', part("; name=a; filename*=UTF-8''b"), [['a', 'x', "UTF-8''b "]]],
  ['a file name that ends in a backslash', part('; name="a"; filename="b\\"'), [['a', 'x', 'b\\ ']]],
  ['text before the first delimiter', `before\n${part('; name="a"')}`, [['a', 'x', null]]],
  ['spaces behind a delimiter', part('; name="a"').replace('--line\n', '--line \t\n'), [['a', 'x', null]]],
  ['nothing but the end', '--line--', []],
  ['no name', part(''), null],
  ['a zero byte in a name', part('; name="a\0"'), null],
  ['no disposition', '--line\nContent-Type: text/plain\n\nx\n--line--', null],
  ['no headers', '--line\n\nx\n--line--', null],
  ['no end', part('; name="a"').slice(0, -2), null],
  ['no end of the headers', '--line\nContent-Disposition: form-data; name="a"', null],
  ['no delimiter', 'x', null],
  ['nothing', '', null],
  ['endless headers', part(`; name="${'a'.repeat(5000)}"`), null],
  ['more parts than allowed', `${part('; name="a"').slice(0, -8)}\n`.repeat(11) + part('; name="a"'), null],
])('a form with %s is read or refused', (_, body, expected) => {
  expect(read(body)).toEqual(expected)
})

test('a type without a boundary is refused', () => {
  for (const type of [
    '',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `x; boundary="${'a'.repeat(71)}"`,
  ])
    expect(readParts(type, encode('--\r\n'), 1)).toBeNull()
})
