/** A part of a form. Its bytes are a view of the body's, so a file is not copied. */
export interface FormPart {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Of a file only. The media type is in lower case. */
  readonly file: { readonly name: string; readonly type: string } | null
}

/**
 * Takes a form apart (multipart/form-data, RFC 7578). Null if it is malformed or has more than `maxParts` parts. The runtime's
 * own parser copies each file three times.
 */
export function readParts(
  contentType: string,
  body: Uint8Array<ArrayBuffer>,
  maxParts: number,
): FormPart[] | null {
  const boundary = readBoundary(contentType)
  if (boundary === null) return null
  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`)
  // The first delimiter may begin the body.
  const first = isAt(body, delimiter.subarray(2), 0) ? -2 : find(body, delimiter, 0)
  const parts: FormPart[] = []
  for (let at = first === null ? null : first + delimiter.length; at !== null; ) {
    if (isAt(body, DASHES, at)) return parts
    const start = skipPadding(body, at)
    const headerEnd = start === null ? null : findHeaderEnd(body, start)
    if (start === null || headerEnd === null || parts.length === maxParts) return null
    const end = find(body, delimiter, headerEnd + END_OF_HEADERS.length)
    const part = end === null ? null : readPart(body, start, headerEnd, end)
    if (end === null || part === null) return null
    parts.push(part)
    at = end + delimiter.length
  }
  return null
}

const DASHES = new TextEncoder().encode('--')
const END_OF_LINE = new TextEncoder().encode('\r\n')
const END_OF_HEADERS = new TextEncoder().encode('\r\n\r\n')
const [RETURN, SPACE, TAB] = [13, 32, 9]
/** Far more than the three headers of a part. */
const MAX_HEADER_BYTES = 4096

/** At most 70 characters (RFC 2046, 5.1.1). */
function readBoundary(contentType: string): string | null {
  const [, quoted, bare] = /boundary=(?:"([^"]{1,70})"|([^";\s]{1,70}))/i.exec(contentType) ?? []
  return quoted ?? bare ?? null
}

function readPart(
  body: Uint8Array<ArrayBuffer>,
  start: number,
  headerEnd: number,
  end: number,
): FormPart | null {
  const text = new TextDecoder().decode(body.subarray(start, headerEnd))
  if (text.includes('\0')) return null
  const headers = text.split('\r\n')
  const [, disposition] = headers.flatMap(
    (line) => /^content-disposition:\s*form-data\s*(;.*)$/i.exec(line) ?? [],
  )
  const parameters = new Map(
    [...(disposition ?? '').matchAll(PARAMETER)].map(([, name = '', quoted, bare]) => [
      name.toLowerCase(),
      quoted ?? bare ?? '',
    ]),
  )
  const name = parameters.get('name')
  if (name === undefined) return null
  const fileName = parameters.get('filename') ?? parameters.get('filename*')
  const [, type = ''] = headers.flatMap((line) => /^content-type:\s*([^;\s]*)/i.exec(line) ?? [])
  return {
    name,
    bytes: body.subarray(headerEnd + END_OF_HEADERS.length, end),
    file: fileName === undefined ? null : { name: fileName, type: type.toLowerCase() },
  }
}

/** Browsers write a quote as %22, so a backslash is an ordinary character. */
const PARAMETER = /;\s*([\w*-]+)=(?:"([^"]*)"|([^;"\s]*))/g

/** Spaces may follow a delimiter, and a line break must. */
function skipPadding(body: Uint8Array, from: number): number | null {
  let at = from
  while (body[at] === SPACE || body[at] === TAB) at++
  return isAt(body, END_OF_LINE, at) ? at + END_OF_LINE.length : null
}

function findHeaderEnd(body: Uint8Array<ArrayBuffer>, start: number): number | null {
  return find(body.subarray(0, start + MAX_HEADER_BYTES), END_OF_HEADERS, start)
}

/** Where a text that begins with a line break stands. Linear, because no such text has a second line break at its start. */
function find(body: Uint8Array, text: Uint8Array, from: number): number | null {
  for (let at = body.indexOf(RETURN, from); at >= 0; at = body.indexOf(RETURN, at + 1))
    if (isAt(body, text, at)) return at
  return null
}

function isAt(body: Uint8Array, text: Uint8Array, at: number): boolean {
  return text.every((byte, i) => body[at + i] === byte)
}
