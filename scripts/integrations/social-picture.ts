import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ReactElement } from 'react'
import satori, { type Font } from 'satori'
import sharp from 'sharp'
import { drawLogoPart, LOGO_BOX } from '../../src/design/logo.ts'
import { THEME_COLOURS } from '../../src/design/themeColours.ts'
import { site as content } from '../../src/site.ts'

const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 80
const WATERLINE = 404
const INK = '#0f2133'
const INK_SOFT = '#4d5763'
// Latin first, then the additional letters of European names.
const SERIF = 'Newsreader latin, Newsreader latin-ext'
const SANS = 'Geist latin, Geist latin-ext'

interface Words {
  readonly title: string
  readonly description: string
  readonly site: string
  readonly host: string
}

/**
 * The link preview picture of a page, as a PNG of 1200 × 630 pixels: the title above the waterline, the description below it.
 */
export async function drawSocialPicture({ title, description, site, host }: Words): Promise<Buffer> {
  const sheet = { width: WIDTH, height: HEIGHT, top: 0, left: 0, background: THEME_COLOURS.light }
  const svg = await satori(
    createBox(
      { ...sheet, color: INK, fontFamily: SANS },
      createText(site, { left: MARGIN + 70, top: 63, fontFamily: SERIF, fontSize: 40, letterSpacing: -0.4 }),
      createBox(
        {
          left: MARGIN,
          top: 130,
          width: WIDTH - 2 * MARGIN,
          height: WATERLINE - 130 - 34,
          alignItems: 'flex-end',
        },
        createText(trimWords(title, 90), {
          fontFamily: SERIF,
          fontSize: title.length > 46 ? 64 : 88,
          letterSpacing: -1.6,
          lineHeight: 1.06,
        }),
      ),
      createText(trimWords(description, 190), {
        left: MARGIN,
        top: WATERLINE + 34,
        width: 700,
        fontSize: 28,
        lineHeight: 1.42,
        color: INK_SOFT,
        position: 'absolute',
      }),
      createText(host, { left: MARGIN, bottom: 32, fontSize: 22, color: INK_SOFT, position: 'absolute' }),
    ),
    { width: WIDTH, height: HEIGHT, fonts: await loadFonts() },
  )
  return sharp(Buffer.from(svg.replace(/<\/svg>$/, `${drawOrnament()}</svg>`)))
    .png({ palette: true, colours: 64, effort: 5 })
    .toBuffer()
}

/** The logo in the corner, and its part in the accent again, large, below the waterline. */
function drawOrnament(): string {
  return [
    `<svg x="${MARGIN}" y="66" width="56" height="40" viewBox="${LOGO_BOX}">`,
    drawLogoPart('ink', INK),
    drawLogoPart('accent', content.accent.light),
    '</svg>',
    `<path d="M0 ${WATERLINE}H${WIDTH}" stroke="${INK}" stroke-width="2"/>`,
    // Cut off at the waterline.
    `<svg y="${WATERLINE}" width="${WIDTH}" height="${HEIGHT - WATERLINE}">`,
    `<svg x="763" y="-117" width="444" height="318" viewBox="${LOGO_BOX}">`,
    drawLogoPart('accent', content.accent.light, 0.26),
    '</svg></svg>',
  ].join('')
}

type Style = Readonly<Record<string, unknown>>

// satori takes React elements; these functions replace JSX.
function createBox(style: Style, ...children: ReactElement[]): ReactElement {
  return {
    type: 'div',
    key: null,
    props: { style: { display: 'flex', position: 'absolute', ...style }, children },
  }
}

function createText(words: string, style: Style): ReactElement {
  const position = 'left' in style ? { position: 'absolute' } : {}
  return { type: 'div', key: null, props: { style: { ...position, ...style }, children: words } }
}

/** Shortens a text to `most` characters at a word boundary. */
function trimWords(words: string, most: number): string {
  return words.length <= most ? words : `${words.slice(0, most - 1).replace(/\s+\S*$/, '')}…`
}

const FILES = [
  ['Newsreader latin', import.meta.resolve('@fontsource/newsreader/files/newsreader-latin-400-normal.woff')],
  [
    'Newsreader latin-ext',
    import.meta.resolve('@fontsource/newsreader/files/newsreader-latin-ext-400-normal.woff'),
  ],
  ['Geist latin', import.meta.resolve('@fontsource/geist/files/geist-latin-400-normal.woff')],
  ['Geist latin-ext', import.meta.resolve('@fontsource/geist/files/geist-latin-ext-400-normal.woff')],
]

let loading: Promise<Font[]> | undefined

function loadFonts(): Promise<Font[]> {
  loading ??= Promise.all(
    FILES.map(async ([name = '', file = '']) => ({
      name,
      data: await readFile(fileURLToPath(file)),
      weight: 400,
      style: 'normal',
    })),
  )
  return loading
}
