import { expect, test } from 'vitest'
import { MAX_UPLOAD_BYTES, UPLOAD_WORDS } from '../contract/uploads.ts'
import { inspectImage } from './inspect.ts'
import { copyJpeg, copyPng } from './samples.ts'

const inspect = (svg: string) => inspectImage(new TextEncoder().encode(svg))

/** A drawing around the given content, 48 by 32 pixels. */
const drawing = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="48" height="32" ${attributes}>${content}</svg>`

function written(svg: string): string {
  const inspected = inspect(svg)
  if (!inspected.ok) throw new Error(inspected.msg)
  return new TextDecoder().decode(inspected.bytes)
}

const OPENING =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="48" height="32">'

test('a drawing is written anew as it was', () => {
  const content =
    '<defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient></defs>' +
    '<style>.a{fill:url(#g)} @media print{.a{fill:none}}</style>' +
    '<g transform="scale(2)"><path class="a" d="M0 0h9" style="stroke:url( \'#g\' )"/></g>' +
    '<text xml:space="preserve" aria-label="Image (x)">5 &lt; 6 &amp; ☂</text>' +
    '<use xlink:href="#g"/><a href="#g"><title>there</title></a>' +
    '<rect width="4" height="4"><animate attributeName="width" to="9" dur="1s"/></rect>'
  expect(written(drawing(content))).toBe(`${OPENING}${content}</svg>`)
})

test('comments, declarations, metadata and editors’ own elements and attributes are left out', () => {
  const svg =
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?><!-- SECRET -->' +
    drawing(
      '<metadata><rdf:RDF><dc:creator>SECRET</dc:creator></rdf:RDF></metadata><!-- SECRET -->' +
        '<sodipodi:namedview path="SECRET"/><g inkscape:label="SECRET" id="a"/>',
      'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:rdf="urn:rdf" xmlns:dc="urn:dc" ' +
        'xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"',
    )
  expect(written(svg)).toBe(`${OPENING}<g id="a"/></svg>`)
})

test('a drawing with a prefix, without its namespace or after a byte order mark is read all the same', () => {
  const prefixed = '<s:svg xmlns:s="http://www.w3.org/2000/svg" width="48" height="32"><s:g/></s:svg>'
  expect(written(prefixed)).toBe(`${OPENING}<g/></svg>`)
  expect(written('\ufeff <svg width="48" height="32"><g/></svg>')).toBe(`${OPENING}<g/></svg>`)
})

test('a picture inside is kept without its metadata', () => {
  for (const [type, bytes] of [['png', copyPng()] as const, ['jpeg', copyJpeg()] as const]) {
    const before = Buffer.from(bytes).toString('base64')
    const after = written(drawing(`<image width="9" height="9" href="data:image/${type};base64,${before}"/>`))
    const [, body = ''] = /base64,([^"]*)"/.exec(after) ?? []
    expect(Buffer.from(before, 'base64').includes('SECRET OWNER')).toBe(true)
    expect(Buffer.from(body, 'base64').includes('SECRET')).toBe(false)
    expect(inspectImage(new Uint8Array(Buffer.from(body, 'base64')))).toMatchObject({ ok: true, width: 48 })
  }
})

test.each([
  ['script', drawing('<script>alert(1)</script>')],
  ['script from elsewhere', drawing('<script href="https://example.com/a.js"/>')],
  [
    'script with a prefix',
    '<s:svg xmlns:s="http://www.w3.org/2000/svg" width="48" height="32"><s:script>alert(1)</s:script></s:svg>',
  ],
  ['script in metadata', drawing('<metadata><script>alert(1)</script></metadata>')],
  ['handler', drawing('', 'onload="alert(1)"')],
  ['handler in capitals', drawing('<g OnClick="alert(1)"/>')],
  ['foreignObject', drawing('<foreignObject><p>hi</p></foreignObject>')],
  ['HTML', drawing('<h:body xmlns:h="http://www.w3.org/1999/xhtml"/>')],
  ['HTML script', drawing('<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>')],
  ['iframe', drawing('<iframe src="https://example.com"/>')],
  ['doctype', `<!DOCTYPE svg>${drawing('')}`],
  ['entity', `<!DOCTYPE svg [<!ENTITY x "y">]>${drawing('&x;')}`],
  ['outside entity', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${drawing('&x;')}`],
  ['billion laughs', `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${drawing('&b;')}`],
  ['style sheet from elsewhere', `<?xml-stylesheet href="https://example.com/a.css"?>${drawing('')}`],
  ['javascript link', drawing('<a href="javascript:alert(1)"><g/></a>')],
  ['javascript link with a tab', drawing('<a xlink:href="java&#9;script:alert(1)"><g/></a>')],
  ['outside link', drawing('<a href="https://example.com"><g/></a>')],
  ['outside picture', drawing('<image href="https://example.com/a.png"/>')],
  ['picture by another scheme', drawing('<image xlink:href="file:///etc/passwd"/>')],
  ['picture by path', drawing('<image href="//example.com/a.png"/>')],
  ['SVG within', drawing('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>')],
  ['page within', drawing('<a href="data:text/html;base64,PHN2Zy8+"><g/></a>')],
  ['data picture where none belongs', drawing('<use href="data:image/png;base64,iVBORw0KGgo="/>')],
  ['outside use', drawing('<use href="https://example.com/a.svg#a"/>')],
  ['outside fill', drawing('<g fill="url(https://example.com/a.svg#a)"/>')],
  ['outside fill in capitals', drawing('<g fill="URL( \'https://example.com/\' )"/>')],
  ['outside fill, escaped', drawing('<g fill="u\\72l(https://example.com/)"/>')],
  ['outside style attribute', drawing('<g style="fill:url(//example.com/a)"/>')],
  ['outside style sheet', drawing('<style>@import "https://example.com/a.css";</style>')],
  [
    'outside style sheet in CDATA',
    drawing('<style>@imp<![CDATA[ort "https://example.com/a.css";]]></style>'),
  ],
  ['outside style sheet around a comment', drawing('<style>@imp<!-- -->ort "https://example.com/";</style>')],
  ['outside style sheet, as references', drawing('<style>&#64;import "https://example.com/";</style>')],
  ['outside font', drawing('<style>@font-face{src:url(https://example.com/a)}</style>')],
  ['outside picture of a set', drawing('<style>g{background:image-set("https://example.com/a")}</style>')],
  ['element in a style sheet', drawing('<style>a<g/>b</style>')],
  ['animated link', drawing('<a><animate attributeName="href" to="#a"/></a>')],
  ['animated link with a prefix', drawing('<a><set attributeName="xlink:href" to="#a"/></a>')],
  ['animated handler', drawing('<set attributeName="onclick" to="alert(1)"/>')],
  ['animation to a script', drawing('<animate attributeName="x" values="javascript:alert(1)"/>')],
  ['nested uses', drawing('<g id="a"><g/></g><g id="b"><use href="#a"/></g><use href="#b"/>')],
  ['use of what holds it', drawing('<g id="a"><use href="#a"/></g>')],
  ['uses of too much', drawing(`<g id="a">${'<g/>'.repeat(500)}</g>${'<use href="#a"/>'.repeat(500)}`)],
  ['too many elements', drawing('<g/>'.repeat(200_000))],
  ['too many attributes', drawing('<g a="" b="" c="" d="" e=""/>'.repeat(40_001))],
  [
    'an element of too many attributes',
    drawing(`<g ${Array.from({ length: 200_001 }, (_, i) => `a${i}=""`).join(' ')}/>`),
  ],
  ['nesting without end', drawing('<g>'.repeat(200) + '</g>'.repeat(200))],
])('what could run, load or overwhelm is refused: %s', (_, svg) => {
  expect(inspect(svg)).toEqual({ ok: false, msg: UPLOAD_WORDS.unsafe })
})

test.each([
  ['unclosed', OPENING],
  ['two roots', drawing('') + drawing('')],
  ['unknown entity', drawing('&nbsp;')],
  ['attribute twice', drawing('<g id="a" id="b"/>')],
  ['unknown prefix', drawing('<x:g/>')],
  ['other encoding', `<?xml version="1.0" encoding="UTF-7"?>${drawing('')}`],
  ['no size at all', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['nothing but percentages', '<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%"/>'],
  ['an empty box', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 0"/>'],
  ['a broken picture inside', drawing('<image href="data:image/png;base64,iVBORw0KGgo="/>')],
])('a drawing that is not well-formed or has no size is refused: %s', (_, svg) => {
  expect(inspect(svg)).toEqual({ ok: false, msg: UPLOAD_WORDS.damaged })
})

test('bytes that are no UTF-8 are refused', () => {
  const svg = new TextEncoder().encode(drawing('<text>é</text>'))
  const broken = svg.map((byte) => (byte === 0xc3 ? 0xff : byte))
  expect(inspectImage(broken)).toEqual({ ok: false, msg: UPLOAD_WORDS.damaged })
})

test.each([
  ['width="640" height="480"', 640, 480],
  ['width="640px" height="480.4px"', 640, 480],
  ['width="210mm" height="297mm"', 794, 1123],
  ['width="1in" height="72pt"', 96, 96],
  ['viewBox="0 0 640 480"', 640, 480],
  ['viewBox="-5,-5 64e1 480"', 640, 480],
  ['width="100%" height="100%" viewBox="0 0 640 480"', 640, 480],
  ['width="320" viewBox="0 0 640 480"', 320, 240],
  ['height="240" viewBox="0 0 640 480"', 320, 240],
])('the size comes from %s', (attributes, width, height) => {
  expect(inspect(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}/>`)).toMatchObject({
    ok: true,
    width,
    height,
  })
})

test.each([
  ['width="10001" height="32"', UPLOAD_WORDS.tooBig],
  ['width="1e9" height="1e9"', UPLOAD_WORDS.tooBig],
  ['width="1e999" height="40"', UPLOAD_WORDS.tooBig],
  ['viewBox="0 0 100000 40"', UPLOAD_WORDS.tooBig],
  ['width="31" height="40"', UPLOAD_WORDS.tooSmall],
  ['width="-640" height="480"', UPLOAD_WORDS.tooSmall],
  ['width="0" height="0"', UPLOAD_WORDS.tooSmall],
])('a size outside the limits is refused: %s', (attributes, msg) => {
  expect(inspect(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}/>`)).toEqual({ ok: false, msg })
})

test('the largest drawing is read', { timeout: 60_000 }, () => {
  const one = `<path d="M0 0${'L10 10'.repeat(50)}" style="fill:url(#a)"/>`
  expect(inspect(drawing(one.repeat(Math.floor((MAX_UPLOAD_BYTES - 1000) / one.length)))).ok).toBe(true)
})
