import { expect, test } from 'vitest'
import { type BuiltScript, finishPage } from './html.ts'

const OF_ONE = "'sha256-HR7iaask9daLMRRskMI++QeJtjWDOjyPA6lGzYGzKW4='"
const OF_TWO = "'sha256-iMrPAWirDC2X0OhZzLsM2MRIWSmepJGI4r7D8ZlwBOw='"
const OF_STYLE = "'sha256-QRQPRLGyxt3RJiKpYNjpkgHcmHU2PywsfL2e8oI0LQA='"
const NO_SCRIPTS: ReadonlyMap<string, BuiltScript> = new Map()

/** A page whose content security policy has these hashes. */
const page = (scripts: string, styles: string, code: string) =>
  `<!doctype html><html><head><meta http-equiv="content-security-policy" content="img-src 'self'; script-src 'self'${scripts}; style-src 'self'${styles};">${code}</head></html>`

test('a page’s policy lets through the inline code that it has, and no other', () => {
  const all = [` ${OF_ONE} ${OF_TWO}`, ` ${OF_STYLE}`] as const
  for (const [code, scripts, styles] of [
    ['<script src="/a.js"></script><script>one()</script>', ` ${OF_ONE}`, ''],
    ['<script type="module">two()</script><style>p{margin:0}</style>', ` ${OF_TWO}`, ` ${OF_STYLE}`],
    ['<noscript>one()</noscript>', '', ''],
  ] as const)
    expect(finishPage(page(...all, code), NO_SCRIPTS)).toBe(page(scripts, styles, code))
})

test('a page preloads what its islands import, the largest two first', () => {
  const scripts: ReadonlyMap<string, BuiltScript> = new Map([
    ['/island.js', { size: 20, imports: ['/shared.js', '/money.js'] }],
    ['/money.js', { size: 5, imports: [] }],
    ['/react.js', { size: 90, imports: [] }],
    ['/shared.js', { size: 50, imports: ['/money.js'] }],
    ['/unused.js', { size: 500, imports: [] }],
  ])
  const sheet = '<link rel="stylesheet" href="/a.css">'
  const policy = '<meta http-equiv="content-security-policy" content="script-src \'self\'">'
  const body =
    '<body><astro-island client="load" component-url="/island.js" renderer-url="/react.js" props="{&quot;a&quot;:1}"></astro-island></body>'
  const preload = (name: string) => `<link rel="modulepreload" href="/${name}.js">`
  expect(finishPage(`<html><head>${policy}${sheet}</head>${body}</html>`, scripts)).toBe(
    `<html><head>${policy}${preload('react')}${preload('shared')}${sheet}${preload('island')}${preload('money')}</head>${body}</html>`,
  )
})

test('texts, drawings and attributes stay as they were written', () => {
  const html =
    '<!doctype html><html lang="en"><head></head><body hidden data-a="&#38;b"><svg viewBox="0 0 1 1"><path d="M0"/></svg><p>a &lt; b – “c”<br>d</p><!-- e --></body></html>'
  expect(finishPage(html, NO_SCRIPTS)).toBe(html)
})
