import { SaxesParser, type SaxesTagNS } from 'saxes'
import { UPLOAD_WORDS } from '../contract/uploads.ts'
import { createDamagedError, createUnsafeError, type Picture, PictureRefused } from './bytes.ts'
import { checkStyle, isDrawn, sanitizeAttributes, XLINK } from './svgRules.ts'
import { computeSvgSize } from './svgSize.ts'
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
    throw open.length === 0 && !size ? createWrongTypeError() : createDamagedError()
  })
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding && !/^utf-?8$/i.test(encoding)) throw createDamagedError()
  })
  parser.on('doctype', (doctype) => {
    throw /^\s*html/i.test(doctype) ? createWrongTypeError() : createUnsafeError()
  })
  parser.on('processinginstruction', () => {
    throw createUnsafeError()
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > MOST_ATTRIBUTES) throw createUnsafeError()
  })
  parser.on('opentag', (tag) => {
    if (!size && (tag.local !== 'svg' || !isDrawn(tag))) throw createWrongTypeError()
    const isKept = isDrawn(tag) && skipped === 0
    open.push(tag.local)
    uses.enter(tag)
    if (open.length > DEEPEST || style !== null) throw createUnsafeError()
    size ??= computeSvgSize(
      getAttribute(tag, 'width'),
      getAttribute(tag, 'height'),
      getAttribute(tag, 'viewBox'),
    )
    if (!isKept) {
      skipped += 1
      return
    }
    const namespaces = open.length === 1 ? ` xmlns="${SVG}" xmlns:xlink="${XLINK}"` : ''
    const kept = sanitizeAttributes(tag).map(
      ([name, value]) => ` ${name}="${escapeText(value, /[&<>"\t\n\r]/g)}"`,
    )
    written.push(`<${tag.local}${namespaces}${kept.join('')}${tag.isSelfClosing ? '/' : ''}>`)
    if (tag.local === 'style' && !tag.isSelfClosing) style = ''
  })
  const addText = (piece: string) => {
    if (open.length === 0 || skipped > 0) return
    if (style === null) written.push(escapeText(piece, /[&<>]/g))
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
    if (style !== null) written.push(escapeText(checkStyle(style), /[&<>]/g))
    style = null
    if (!tag.isSelfClosing) written.push(`</${tag.local}>`)
  })

  parser.write(text).close()
  if (!size) throw createWrongTypeError()
  if (uses.isTooMuch()) throw createUnsafeError()
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

function getAttribute(tag: SaxesTagNS, name: string): string {
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

function escapeText(text: string, characters: RegExp): string {
  return text.replace(characters, (character) => ESCAPES[character] ?? '')
}

function createWrongTypeError(): PictureRefused {
  return new PictureRefused(UPLOAD_WORDS.wrongType)
}
