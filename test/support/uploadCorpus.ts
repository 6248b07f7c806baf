import { crc32, deflateSync, gzipSync } from 'node:zlib'
import { joinBytes } from '../../src/contract/bytes.ts'
import { type ImageType, MAX_UPLOAD_BYTES, type UPLOAD_WORDS } from '../../src/contract/uploads.ts'
import {
  copyAnimatedWebp,
  copyAvif,
  copyGif,
  copyJpeg,
  copyPng,
  copySvg,
  copyWebp,
} from '../../src/pictures/samples.ts'

/** An upload other than an honest picture, and the expected decision. */
export interface Upload {
  readonly what: string
  /** One form part for each file. */
  readonly files: readonly File[]
  readonly decided:
    | { readonly taken: ImageType }
    | { readonly status: 400 | 413 | 422; readonly word: keyof typeof UPLOAD_WORDS | null }
}

/** Marks content that must not be in a stored file. */
export const MARK = 'SECRET'

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff)
const utf8 = (text: string) => new TextEncoder().encode(text)

function file(bytes: Uint8Array, name = 'picture.png', type = 'image/png'): File {
  return new File([new Uint8Array(bytes)], name, { type })
}

function taken(what: string, type: ImageType, bytes: Uint8Array, name?: string, said?: string): Upload {
  return { what, files: [file(bytes, name, said ?? type)], decided: { taken: type } }
}

function refused(
  what: string,
  word: keyof typeof UPLOAD_WORDS,
  bytes: Uint8Array,
  name?: string,
  said?: string,
): Upload {
  return { what, files: [file(bytes, name, said)], decided: { status: 422, word } }
}

const SCRIPT = `<script>alert("${MARK}")</script>`

// Portable Network Graphics, third edition.
function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = joinBytes([bytesOf(type), data])
  const frame = new DataView(new ArrayBuffer(8))
  frame.setUint32(0, data.length)
  frame.setUint32(4, crc32(body))
  return joinBytes([new Uint8Array(frame.buffer, 0, 4), body, new Uint8Array(frame.buffer, 4, 4)])
}

interface Png {
  readonly width?: number
  readonly height?: number
  /** Red, green and blue by default. */
  readonly colour?: number
  readonly pixels?: Uint8Array
  /** Before the pixels. */
  readonly extra?: readonly Uint8Array[]
}

function png({ width = 40, height = 40, colour = 2, pixels, extra = [] }: Png = {}): Uint8Array {
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  header.setUint8(8, 8)
  header.setUint8(9, colour)
  const data = pixels ?? deflateSync(new Uint8Array((1 + 3 * Math.min(width, 100)) * Math.min(height, 100)))
  return joinBytes([
    bytesOf('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', new Uint8Array(header.buffer)),
    ...extra,
    chunk('IDAT', data),
    chunk('IEND', new Uint8Array()),
  ])
}

/** A segment of a JPEG: its marker, its length, its content. */
function segment(mark: number, content: Uint8Array): Uint8Array {
  const length = content.length + 2
  return joinBytes([Uint8Array.of(0xff, mark, length >> 8, length & 0xff), content])
}

/** The sample with these segments after its first marker. */
function jpeg(...segments: Uint8Array[]): Uint8Array {
  return joinBytes([copyJpeg().subarray(0, 2), ...segments, copyJpeg().subarray(2)])
}

/** A JPEG of four colours: the sample's frame and scan with four components. */
function cmyk(): Uint8Array {
  const frame = indexOf(copyJpeg(), [0xff, 0xc0])
  const scan = indexOf(copyJpeg(), [0xff, 0xda])
  const components = [1, 2, 3, 4]
  return joinBytes([
    copyJpeg().subarray(0, frame),
    segment(0xee, bytesOf('Adobe\0\x64\0\0\0\0\x02')),
    segment(0xc0, Uint8Array.of(8, 0, 32, 0, 48, 4, ...components.flatMap((id) => [id, 0x11, 0]))),
    copyJpeg().subarray(frame + 2 + sizeAt(copyJpeg(), frame + 2), scan),
    segment(0xda, Uint8Array.of(4, ...components.flatMap((id) => [id, 0]), 0, 63, 0)),
    copyJpeg().subarray(scan + 2 + sizeAt(copyJpeg(), scan + 2)),
  ])
}

function sizeAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}

function indexOf(bytes: Uint8Array, mark: readonly number[]): number {
  return bytes.findIndex((_, at) => mark.every((byte, i) => bytes[at + i] === byte))
}

function patched(bytes: Uint8Array, at: number, patch: readonly number[]): Uint8Array {
  const copy = bytes.slice()
  copy.set(patch, at)
  return copy
}

function svg(content: string, attributes = 'width="48" height="32"', before = ''): Uint8Array {
  return utf8(
    `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`,
  )
}

/** A ZIP (APPNOTE 6.3) that holds one stored file. */
function zip(): Uint8Array {
  const name = bytesOf('evil.html')
  const content = bytesOf(SCRIPT)
  const head = new DataView(new ArrayBuffer(30))
  head.setUint32(0, 0x504b0304)
  head.setUint32(14, crc32(content), true)
  head.setUint32(18, content.length, true)
  head.setUint32(22, content.length, true)
  head.setUint16(26, name.length, true)
  return joinBytes([new Uint8Array(head.buffer), name, content, bytesOf('PK\x05\x06'), new Uint8Array(18)])
}

const many = (count: number) => 'ha'.repeat(count)

/** Over forty uploads, generated here. */
export const UPLOADS: readonly Upload[] = [
  // Honest ones, to notice if everything were refused.
  taken('a PNG', 'image/png', png()),
  taken('a GIF with two frames', 'image/gif', copyGif()),
  taken('a JPEG', 'image/jpeg', copyJpeg()),
  taken('a WebP', 'image/webp', copyWebp()),
  taken('an animated WebP', 'image/webp', copyAnimatedWebp()),
  taken('an AVIF', 'image/avif', copyAvif()),
  taken('an SVG', 'image/svg+xml', copySvg()),
  taken('a JPEG of four colours (CMYK)', 'image/jpeg', cmyk()),

  // Data appended to a picture is removed.
  taken('a PNG with EXIF and XMP', 'image/png', copyPng()),
  taken(
    'a JPEG with EXIF, XMP, a comment and a thumbnail',
    'image/jpeg',
    jpeg(segment(0xfe, bytesOf(MARK)), segment(0xe0, bytesOf(`JFXX\0\x10${MARK}`))),
  ),
  taken(
    'a JPEG with a colour profile and Photoshop’s own data',
    'image/jpeg',
    jpeg(
      segment(0xe2, bytesOf('ICC_PROFILE\0\x01\x01profile')),
      segment(0xed, bytesOf(`Photoshop 3.0\0${MARK}`)),
    ),
  ),
  taken(
    'a PNG with text, compressed text and a time',
    'image/png',
    png({
      extra: [
        chunk('tEXt', bytesOf(`Author\0${MARK}`)),
        chunk('zTXt', joinBytes([bytesOf('a\0\0'), deflateSync(bytesOf(MARK))])),
        chunk('tIME', new Uint8Array(7)),
      ],
    }),
  ),
  taken(
    'a PNG with compressed text that grows to 64 MiB',
    'image/png',
    png({
      extra: [chunk('zTXt', joinBytes([bytesOf('a\0\0'), deflateSync(new Uint8Array(64 * 1024 * 1024))]))],
    }),
  ),
  taken('a PNG with a ZIP behind it', 'image/png', joinBytes([png(), zip()])),
  taken('a GIF with a page behind it', 'image/gif', joinBytes([copyGif(), bytesOf(SCRIPT)])),
  taken(
    'a JPEG with a page in its comment and behind it',
    'image/jpeg',
    joinBytes([jpeg(segment(0xfe, bytesOf(SCRIPT))), bytesOf(SCRIPT)]),
  ),
  taken('a WebP with a page behind it', 'image/webp', joinBytes([copyWebp(), bytesOf(SCRIPT)])),
  taken(
    'a JPEG with PHP in its comment',
    'image/jpeg',
    jpeg(segment(0xfe, bytesOf(`<?php echo "${MARK}"; ?>`))),
  ),
  taken(
    'a PNG with a private chunk that holds a page',
    'image/png',
    png({ extra: [chunk('prVt', bytesOf(SCRIPT))] }),
  ),
  taken(
    'a GIF that begins a script with its comment',
    'image/gif',
    joinBytes([
      copyGif().subarray(0, 19),
      Uint8Array.of(0x21, 0xfe, SCRIPT.length),
      bytesOf(SCRIPT),
      Uint8Array.of(0),
      copyGif().subarray(19),
    ]),
  ),
  taken(
    'an SVG with metadata and comments',
    'image/svg+xml',
    svg(`<metadata>${MARK}</metadata><!-- ${MARK} --><g/>`),
  ),

  // Names and declared types are ignored.
  taken('a PNG that is called a page', 'image/png', png(), 'page.html', 'text/html'),
  taken('a PNG that is called a JPEG', 'image/png', png(), 'a.jpg', 'image/jpeg'),
  taken('a PNG under a path', 'image/png', png(), '../../etc/passwd.php'),
  taken('a PNG under a name of 4,000 characters', 'image/png', png(), `${'n'.repeat(4000)}.png`),
  taken('a PNG of no type', 'image/png', png(), 'a', 'application/octet-stream'),
  refused('a page that is called a PNG', 'wrongType', bytesOf(`<!DOCTYPE html>${SCRIPT}`)),
  refused('a script that is called a GIF', 'wrongType', bytesOf(`alert("${MARK}")`), 'a.gif', 'image/gif'),
  refused('a PDF that is called a JPEG', 'wrongType', bytesOf('%PDF-1.7\n'), 'a.jpg', 'image/jpeg'),
  refused('a ZIP that is called a PNG', 'wrongType', zip()),
  refused('a program that is called a PNG', 'wrongType', bytesOf('MZ\x90\0\x03')),
  refused('a TIFF', 'wrongType', bytesOf('II*\0\x08\0\0\0'), 'a.tiff', 'image/tiff'),
  refused('an HEIC', 'wrongType', bytesOf('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), 'a.heic', 'image/heic'),
  refused('an SVG that was compressed', 'wrongType', gzipSync(copySvg()), 'a.svgz', 'image/svg+xml'),
  refused(
    'a GIF that is a script (GIF89a=1)',
    'damaged',
    bytesOf(`GIF89a=1;alert("${MARK}")//`),
    'a.gif',
    'image/gif',
  ),
  refused(
    'a PNG’s first bytes before a page',
    'damaged',
    joinBytes([copyPng().subarray(0, 8), bytesOf(SCRIPT)]),
  ),
  refused(
    'a JPEG’s first bytes before a page',
    'damaged',
    joinBytes([copyJpeg().subarray(0, 3), bytesOf(SCRIPT)]),
    'a.jpg',
    'image/jpeg',
  ),

  // Broken pictures, and pictures with no or a monstrous size.
  refused('a PNG cut in half', 'damaged', png().subarray(0, 60)),
  refused(
    'a JPEG cut in half',
    'damaged',
    copyJpeg().subarray(0, copyJpeg().length >> 1),
    'a.jpg',
    'image/jpeg',
  ),
  refused('a GIF without its end', 'damaged', copyGif().subarray(0, -1), 'a.gif', 'image/gif'),
  refused('a PNG without pixels', 'damaged', joinBytes([png().subarray(0, 33), png().subarray(-12)])),
  refused('a PNG whose header’s sum is wrong', 'damaged', patched(png(), 29, [0, 0, 0, 0])),
  refused(
    'a PNG whose first chunk says it has 4 GiB',
    'damaged',
    patched(png(), 33, [0xff, 0xff, 0xff, 0xff]),
  ),
  refused(
    'a PNG of no pixel',
    'tooSmall',
    png({ width: 0, height: 0, pixels: deflateSync(new Uint8Array(1)) }),
  ),
  refused('a PNG of one pixel', 'tooSmall', png({ width: 1, height: 1 })),
  refused('a PNG of 2,147,483,647 pixels a side', 'tooBig', png({ width: 0x7fffffff, height: 0x7fffffff })),
  refused(
    'a GIF of 65,535 pixels a side',
    'tooBig',
    patched(copyGif(), 6, [0xff, 0xff, 0xff, 0xff]),
    'a.gif',
    'image/gif',
  ),
  refused(
    'an SVG of a billion pixels a side',
    'tooBig',
    svg('', 'width="1e9" height="1e9"'),
    'a.svg',
    'image/svg+xml',
  ),
  // 300 MB of zeros in 300 KB. Nothing is unpacked here, and the dimensions in the header limit what a viewer unpacks.
  taken(
    'a PNG of the largest sides, whose pixels are a bomb',
    'image/png',
    png({ width: 10_000, height: 10_000, pixels: deflateSync(new Uint8Array(64 * 1024 * 1024)) }),
  ),

  // Drawings that would run scripts, load content or exhaust memory.
  ...(
    [
      ['a script', svg(SCRIPT)],
      ['a script from elsewhere', svg('<script href="https://evil.example/a.js"/>')],
      ['a handler', svg('', 'width="48" height="32" onload="alert(1)"')],
      [
        'a page in a foreignObject',
        svg(`<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</body></foreignObject>`),
      ],
      ['a picture from elsewhere', svg('<image href="https://evil.example/a.png"/>')],
      ['a style sheet from elsewhere', svg('<style>@import "https://evil.example/a.css";</style>')],
      ['a link that runs', svg('<a href="javascript:alert(1)"><rect width="9" height="9"/></a>')],
      [
        'an outside entity',
        svg('&x;', undefined, '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
      ],
      [
        'a billion laughs',
        svg('&c;', undefined, '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c "&b;&b;">]>'),
      ],
      ['an animation that becomes a handler', svg('<set attributeName="onclick" to="alert(1)"/>')],
      ['uses of uses', svg('<g id="a"><g/></g><g id="b"><use href="#a"/></g><use href="#b"/>')],
      ['200,000 elements', svg('<g/>'.repeat(200_000))],
    ] as const
  ).map(([what, bytes]) => refused(`an SVG with ${what}`, 'unsafe', bytes, 'a.svg', 'image/svg+xml')),
  refused(
    'an SVG that is not well-formed',
    'damaged',
    utf8('<svg xmlns="http://www.w3.org/2000/svg" width="48" height="32"><g></svg>'),
    'a.svg',
    'image/svg+xml',
  ),

  // The parts of the form.
  refused('nothing in the file', 'empty', new Uint8Array()),
  {
    what: 'a name with a zero byte in it',
    files: [file(png(), 'a.png\u0000.php')],
    decided: { status: 400, word: null },
  },
  { what: 'no file at all', files: [], decided: { status: 422, word: null } },
  { what: 'two files', files: [file(png()), file(copyJpeg())], decided: { status: 422, word: 'several' } },
  {
    what: 'the same file twice',
    files: [file(png()), file(png())],
    decided: { status: 422, word: 'several' },
  },
  {
    what: 'more than 8 MiB',
    files: [file(joinBytes([png(), utf8(many(MAX_UPLOAD_BYTES / 2))]))],
    decided: { status: 413, word: null },
  },
  {
    what: 'more than 8 MiB that are no picture',
    files: [file(new Uint8Array(MAX_UPLOAD_BYTES + 1))],
    decided: { status: 413, word: null },
  },
]
