import { SaxesParser, type SaxesTagNS } from 'saxes'
import { UPLOAD_WORDS } from '../contract/uploads.ts'
import { damaged, type Picture, PictureRefused, unsafe } from './bytes.ts'
import { attributesOf, checkedStyle, isDrawn, XLINK } from './svgRules.ts'
import { sizeOfSvg } from './svgSize.ts'
import { SvgUses } from './svgUses.ts'

/** Whether this looks like XML: the first non-space character opens a tag. */
export function isXml(bytes: Uint8Array): boolean {
  const opening = new TextDecoder().decode(bytes.subarray(0, 256))
  return opening.trimStart().startsWith('<')
}

/**
 * Reads an SVG as strict XML in UTF-8 and rewrites it from an allowlist. Scripts, event handlers, entities, foreign
 * objects and external references refuse the whole file; comments, metadata and editors' own elements are dropped.
 */
export function readSvg(bytes: Uint8Array): Picture {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const written: string[] = []
  const open: string[] = []
  const uses = new SvgUses()
  let size: { width: number; height: number } | undefined
  let skipped = 0
  let attributes = 0
  let style: string | null = null

  const parser = new SaxesParser(PARSING)
  parser.on('error', () => {
    throw open.length === 0 && !size ? wrongType() : damaged()
  })
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding && !/^utf-?8$/i.test(encoding)) throw damaged()
  })
  parser.on('doctype', (doctype) => {
    throw /^\s*html/i.test(doctype) ? wrongType() : unsafe()
  })
  parser.on('processinginstruction', () => {
    throw unsafe()
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > MOST_ATTRIBUTES) throw unsafe()
  })
  parser.on('opentag', (tag) => {
    if (!size && (tag.local !== 'svg' || !isDrawn(tag))) throw wrongType()
    const isKept = isDrawn(tag) && skipped === 0
    open.push(tag.local)
    uses.enter(tag)
    if (open.length > DEEPEST || style !== null) throw unsafe()
    size ??= sizeOfSvg(
      attributeText(tag, 'width'),
      attributeText(tag, 'height'),
      attributeText(tag, 'viewBox'),
    )
    if (!isKept) {
      skipped += 1
      return
    }
    const namespaces = open.length === 1 ? ` xmlns="${SVG}" xmlns:xlink="${XLINK}"` : ''
    const kept = attributesOf(tag).map(([name, value]) => ` ${name}="${escaped(value, /[&<>"\t\n\r]/g)}"`)
    written.push(`<${tag.local}${namespaces}${kept.join('')}${tag.isSelfClosing ? '/' : ''}>`)
    if (tag.local === 'style' && !tag.isSelfClosing) style = ''
  })
  const addText = (piece: string) => {
    if (open.length === 0 || skipped > 0) return
    if (style === null) written.push(escaped(piece, /[&<>]/g))
    else style += piece
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', (tag) => {
    open.pop()
    uses.leave()
    if (skipped > 0) {
      skipped -= 1
      return
    }
    // Checked at the end, because comments and CDATA may split a style sheet.
    if (style !== null) written.push(escaped(checkedStyle(style), /[&<>]/g))
    style = null
    if (!tag.isSelfClosing) written.push(`</${tag.local}>`)
  })

  parser.write(text).close()
  if (!size) throw wrongType()
  if (uses.isTooMuch()) throw unsafe()
  return { ...size, bytes: new TextEncoder().encode(written.join('')) }
}

const SVG = 'http://www.w3.org/2000/svg'

// Always version 1.0, because 1.1 allows characters that are invalid in our output.
const PARSING = {
  xmlns: true,
  position: false,
  additionalNamespaces: { xlink: XLINK },
  defaultXMLVersion: '1.0',
  forceXMLVersion: true,
} as const

/** Limits the recursion of renderers. No drawing needs more. */
const DEEPEST = 100
/** Each costs several checks, so they are counted before they are looked at. */
const MOST_ATTRIBUTES = 200_000

function attributeText(tag: SaxesTagNS, name: string): string {
  return tag.attributes[name]?.value ?? ''
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

function escaped(text: string, characters: RegExp): string {
  return text.replace(characters, (character) => ESCAPES[character] ?? '')
}

function wrongType(): PictureRefused {
  return new PictureRefused(UPLOAD_WORDS.wrongType)
}
