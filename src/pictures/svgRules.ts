import type { SaxesTagNS } from 'saxes'
import { MAX_SIDE } from '../contract/uploads.ts'
import { createUnsafeError } from './bytes.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'

export const XLINK = 'http://www.w3.org/1999/xlink'
const SVG = 'http://www.w3.org/2000/svg'
const XHTML = 'http://www.w3.org/1999/xhtml'
const XML = 'http://www.w3.org/XML/1998/namespace'

/**
 * Whether to keep an element: true for graphics, false for metadata and editors' own elements. Refuses the file for
 * anything that could run, load or embed something.
 */
export function isDrawn(tag: SaxesTagNS): boolean {
  if (tag.uri === XHTML) throw createUnsafeError()
  // An SVG without a namespace is accepted and rewritten with it.
  if (tag.uri !== SVG && tag.uri !== '') return false
  if (tag.local === 'metadata') return false
  if (!ELEMENTS.has(tag.local)) throw createUnsafeError()
  return true
}

const ELEMENTS = new Set([
  ...['svg', 'g', 'defs', 'symbol', 'use', 'switch', 'view', 'a', 'title', 'desc', 'style'],
  ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'image'],
  ...['text', 'tspan', 'textPath'],
  ...['linearGradient', 'radialGradient', 'stop', 'pattern', 'clipPath', 'mask', 'marker', 'filter'],
  ...[
    'feBlend',
    'feColorMatrix',
    'feComponentTransfer',
    'feComposite',
    'feConvolveMatrix',
    'feDiffuseLighting',
  ],
  ...[
    'feDisplacementMap',
    'feDistantLight',
    'feDropShadow',
    'feFlood',
    'feFuncA',
    'feFuncB',
    'feFuncG',
    'feFuncR',
  ],
  ...['feGaussianBlur', 'feImage', 'feMerge', 'feMergeNode', 'feMorphology', 'feOffset', 'fePointLight'],
  ...['feSpecularLighting', 'feSpotLight', 'feTile', 'feTurbulence'],
  ...['animate', 'animateTransform', 'animateMotion', 'mpath', 'set'],
])

/** The attributes to keep. Refuses the file for one that could run or load something. */
export function sanitizeAttributes(tag: SaxesTagNS): [name: string, value: string][] {
  return Object.values(tag.attributes).flatMap(({ uri, local, value }): [string, string][] => {
    if (/^on/i.test(local)) throw createUnsafeError()
    if (uri === XML) return local === 'space' || local === 'lang' ? [[`xml:${local}`, value]] : []
    if (uri === XLINK) return local === 'href' ? [['xlink:href', checkHref(tag.local, value)]] : []
    // Drops namespace declarations, which the root gets again, and editors' attributes.
    if (uri !== '') return []
    if (local === 'href' || local === 'src') return [[local, checkHref(tag.local, value)]]
    if (local === 'attributeName' && /href|src|style|class|^on/i.test(value)) throw createUnsafeError()
    return [[local, PLAIN.test(local) ? value : checkStyle(value)]]
  })
}

/** Attributes that are never parsed as CSS and may contain free text or megabytes of numbers. */
const PLAIN = /^(?:aria-.*|data-.*|id|class|d|points|transform)$/

/** Allows a fragment of the same file or, on pictures, an embedded PNG or JPEG, which loses its metadata. */
function checkHref(element: string, value: string): string {
  const target = value.replace(/\s+/g, '')
  if (target.startsWith('#')) return target
  const [, type, body = ''] = DATA_PICTURE.exec(target) ?? []
  if (!type || !PICTURES.has(element)) throw createUnsafeError()
  const bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0))
  const picture = type === 'png' ? readPng(bytes) : readJpeg(bytes)
  if (picture.width > MAX_SIDE || picture.height > MAX_SIDE) throw createUnsafeError()
  return `data:image/${type};base64,${encodeBase64(picture.bytes)}`
}

const PICTURES = new Set(['image', 'feImage'])
const DATA_PICTURE = /^data:image\/(png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/

/**
 * Refuses CSS that could load anything but a fragment of the same file. Also refuses backslashes, because escapes could
 * hide such CSS.
 */
export function checkStyle(css: string): string {
  if (LOADS.test(css)) throw createUnsafeError()
  return css
}

const LOADS = new RegExp(
  [
    '\\\\',
    '@(?!media\\b|keyframes\\b|supports\\b)[a-z-]',
    'url\\((?!\\s*["\']?\\s*#)',
    '(?:image|image-set|src|cross-fade|element|paint|expression)\\s*\\(',
    '(?:javascript|vbscript|data)\\s*:',
    '-moz-binding|behavior\\s*:',
  ].join('|'),
  'i',
)

function encodeBase64(bytes: Uint8Array): string {
  // In slices, because a call takes a limited number of arguments.
  const slices = Array.from({ length: Math.ceil(bytes.length / 8192) }, (_, i) =>
    String.fromCharCode(...bytes.subarray(i * 8192, (i + 1) * 8192)),
  )
  return btoa(slices.join(''))
}
