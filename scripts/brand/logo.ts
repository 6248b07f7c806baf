import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { parseHex } from '../../src/design/colours.ts'
import type { Site } from '../../src/site.ts'

type Logo = Site['logo']
type Shape = Logo['shapes'][number]
type Attributes = Readonly<Record<string, string>>

/** What holds for the shapes inside an element too. */
const INHERITED = ['fill', 'stroke', 'stroke-width', 'fill-rule']
const IGNORED = ['title', 'desc', 'metadata', 'defs']
/** What would change how a shape looks, and cannot be kept. */
const REFUSED = ['transform', 'clip-path', 'mask', 'filter', 'stroke-dasharray']

/**
 * Reads a logo from an SVG picture of simple shapes. Grey shapes get the colour of text, which differs in the light and in the dark
 * theme, and coloured ones get the accent. Throws a sentence about what cannot be kept, such as letters that are not outlines.
 */
export function readLogo(svg: string): Logo {
  const shapes: Shape[] = []
  const open: Attributes[] = []
  let viewBox = ''
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw new Error(`The logo is not an SVG picture: ${error.message}`)
  })
  parser.on('opentag', (tag) => {
    const attributes = { ...open.at(-1), ...readAttributes(tag) }
    open.push(Object.fromEntries(Object.entries(attributes).filter(([name]) => INHERITED.includes(name))))
    if (open.length === 1) viewBox = readViewBox(tag.name, attributes)
    else if (tag.name !== 'g' && !IGNORED.includes(tag.name))
      shapes.push(...readShape(describePath(tag.name, attributes), attributes))
  })
  parser.on('closetag', () => open.pop())
  parser.write(svg).close()
  if (shapes.length === 0) throw new Error('The logo has no shape.')
  return { viewBox, shapes }
}

/** The attributes of an element, with those that stand in its `style`. */
function readAttributes({ name, attributes }: SaxesTagPlain): Attributes {
  const { style = '', ...others } = attributes
  const pairs = style.split(';').map((pair) => pair.split(':').map((text) => text.trim()))
  const all = { ...others, ...Object.fromEntries(pairs.filter(([key]) => key)) }
  const refused = REFUSED.find((key) => key in all)
  if (refused !== undefined)
    throw new Error(`The logo's <${name}> has ${refused}. Flatten the drawing before you export it.`)
  return all
}

function readViewBox(name: string, { viewBox, width = '', height = '' }: Attributes): string {
  if (name !== 'svg') throw new Error('The logo is not an SVG picture.')
  return (
    viewBox
      ?.trim()
      .split(/[\s,]+/)
      .join(' ') ?? `0 0 ${Number.parseFloat(width)} ${Number.parseFloat(height)}`
  )
}

/** The outline of an element as the data of a path. */
function describePath(name: string, attributes: Attributes): string {
  const readNumber = (key: string) => Number.parseFloat(attributes[key] ?? '0')
  if (name === 'path') return (attributes.d ?? '').trim().replace(/\s+/g, ' ')
  if (name === 'polygon' || name === 'polyline')
    return `M${(attributes.points ?? '').trim().replace(/\s+/g, ' ')}${name === 'polygon' ? 'Z' : ''}`
  if (name === 'line')
    return `M${readNumber('x1')} ${readNumber('y1')}L${readNumber('x2')} ${readNumber('y2')}`
  if (name === 'rect' && !('rx' in attributes) && !('ry' in attributes)) {
    const [width, height] = [readNumber('width'), readNumber('height')]
    return `M${readNumber('x')} ${readNumber('y')}h${width}v${height}h${-width}Z`
  }
  if (name === 'circle' || name === 'ellipse') {
    const [rx, ry] =
      name === 'circle' ? [readNumber('r'), readNumber('r')] : [readNumber('rx'), readNumber('ry')]
    const drawArc = (way: number) => `a${rx} ${ry} 0 1 0 ${2 * rx * way} 0`
    return `M${readNumber('cx') - rx} ${readNumber('cy')}${drawArc(1)}${drawArc(-1)}Z`
  }
  throw new Error(`The logo has <${name}>. Convert it to paths before you export it.`)
}

/** The area and the line of a path, as far as it has them. */
function readShape(path: string, attributes: Attributes): Shape[] {
  const area = readColour(attributes.fill ?? 'black')
  const stroke = readColour(attributes.stroke ?? 'none')
  const evenOdd = attributes['fill-rule'] === 'evenodd' ? { evenOdd: true as const } : {}
  const line = Number.parseFloat(attributes['stroke-width'] ?? '1')
  return [
    ...(area === null ? [] : [{ path, colour: area, ...evenOdd }]),
    ...(stroke === null ? [] : [{ path, colour: stroke, line }]),
  ]
}

const GREY = 0.04

function readColour(colour: string): Shape['colour'] | null {
  if (colour === 'none' || colour === 'transparent') return null
  if (colour === 'currentColor' || colour === 'black') return 'ink'
  const hex = colour.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')
  if (!/^#[0-9a-f]{6}$/i.test(hex))
    throw new Error(`The logo has the colour ${colour}. Give each colour as #rrggbb, without gradients.`)
  const [lightness, chroma] = parseHex(hex)
  if (chroma < GREY && lightness > 0.95)
    throw new Error(
      'The logo has a white shape, which nobody would see on a white page. Cut it out of the shape below.',
    )
  return chroma < GREY ? 'ink' : 'accent'
}
